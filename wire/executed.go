package wire

import "github.com/foretick/foretick/bits"

// Executed says how the server obtained the input that it executed at a tick.
type Executed uint8

// The four ways.
const (
	AsSent   Executed = iota // the player's own
	Repeated                 // a hole: the last one again
	Neutral                  // a hole: nothing held
	Frozen                   // a hole: the player was left where he is
)

const executedBits = 2

// writeExecuted writes a count; a tick and a bit for "all as sent"; else runs.
func writeExecuted(w *bits.Writer, ex []Executed, from, near uint16) {
	w.Uvar(uint64(len(ex)))
	if len(ex) == 0 {
		return
	}
	writeNear(w, from, near)
	n := run(ex)
	all := ex[0] == AsSent && n == len(ex)
	w.Bool(all)
	if all {
		return
	}
	for len(ex) > 0 {
		n = run(ex)
		w.Bits(uint64(ex[0]), executedBits)
		w.Uvar(uint64(n - 1))
		ex = ex[n:]
	}
}

// run returns how many at the start of ex are alike.
func run(ex []Executed) int {
	n := 1
	for n < len(ex) && ex[n] == ex[0] {
		n++
	}
	return n
}

func readExecuted(r *bits.Reader, ex []Executed, near uint16) ([]Executed, uint16) {
	n := int(readUvar(r, MaxExecuted))
	ex = grow(ex, n)
	if n == 0 {
		return ex, 0
	}
	from := readNear(r, near)
	if r.Bool() {
		clear(ex)
		return ex, from
	}
	for i := 0; i < n; {
		e := Executed(r.Bits(executedBits))
		l := int(readUvar(r, uint64(n-i-1))) + 1
		if i > 0 && e == ex[i-1] || i == 0 && l == n && e == AsSent {
			r.Fail(bits.ErrCanonical) // one run said as two, or all as sent
		}
		if r.Err() != nil {
			return ex[:0], 0
		}
		for range l {
			ex[i] = e
			i++
		}
	}
	return ex, from
}
