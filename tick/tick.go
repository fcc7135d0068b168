// Package tick has the numbers everything else is keyed by: ticks, entities,
// and a ring whose slots remember their tick.
package tick

// Tick numbers a step. State n and input n give state n+1. Ticks wrap at
// 2^32, so compare them with Since, Before and After, never with < or >.
// Every value is a tick; "no tick" is always a separate ok bool.
type Tick uint32

// Since returns t-u in ticks, negative if t is before u, right across a wrap
// as long as the two lie within 2^31 ticks.
func (t Tick) Since(u Tick) int32 { return int32(t - u) }

// Before reports whether t lies before u.
func (t Tick) Before(u Tick) bool { return int32(t-u) < 0 }

// After reports whether t lies after u.
func (t Tick) After(u Tick) bool { return int32(t-u) > 0 }

// Add returns the tick n ticks later (earlier if n is negative).
func (t Tick) Add(n int32) Tick { return t + Tick(n) }

// Later returns the later of two ticks.
func Later(a, b Tick) Tick {
	if a.Before(b) {
		return b
	}
	return a
}

// Earlier returns the earlier of two ticks.
func Earlier(a, b Tick) Tick {
	if a.After(b) {
		return b
	}
	return a
}

// Wire returns the low 16 bits, which is what travels.
func (t Tick) Wire() uint16 { return uint16(t) }

// Widen returns the tick nearest to near whose low 16 bits are w. It is right
// while the two lie within 32,767 ticks: nine minutes at 60 Hz.
func Widen(w uint16, near Tick) Tick {
	return near + Tick(int32(int16(w-uint16(near))))
}
