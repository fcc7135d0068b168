package impair

import "time"

// Everything random here is integer arithmetic on splitmix64 (Steele, Lea and
// Flood 2014): the same seed gives the same network on every machine.

const golden = 0x9e3779b97f4a7c15

// Streams other than a packet's own.
const (
	copyStream  = 0xc0b1e5d1a2f37a11
	stallStream = 0x57a1157a1157a115
)

// stream is one packet's random numbers. Each packet has its own, from the
// seed and its ordinal, so that what happens to it does not hang on how many
// numbers the packets before it took: switching duplication on loses the same
// packets as before.
type stream uint64

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func newStream(seed, ordinal uint64) stream {
	return stream(mix(seed + golden*(ordinal+1)))
}

func (s *stream) next() uint64 {
	*s += golden
	return mix(uint64(*s))
}

// chance is a probability as a 53-bit threshold.
type chance uint64

func newChance(p float64) chance {
	if !(p > 0) { // NaN too
		return 0
	}
	if p >= 1 {
		return 1 << 53
	}
	return chance(p * (1 << 53))
}

func (s *stream) hit(c chance) bool { return s.next()>>11 < uint64(c) }

// normal returns a normal number in 1/65,536 deviations, within three of them:
// the sum of twelve uniforms (Irwin-Hall), whose variance is one. No logarithm,
// which differs between machines.
func (s *stream) normal() int64 {
	for range maxTries {
		n := int64(-12*65535) / 2
		for range 3 {
			u := s.next()
			n += int64(u&0xffff) + int64(u>>16&0xffff) + int64(u>>32&0xffff) + int64(u>>48)
		}
		if n >= -3<<16 && n <= 3<<16 {
			return n
		}
	}
	return 0
}

// poisson is a cumulative table of a Poisson distribution.
type poisson []chance

// newPoisson takes exp(-mean) as a constant, because math.Exp differs between
// machines.
func newPoisson(mean, expMinus float64, size int) poisson {
	t := make(poisson, size)
	p, sum := expMinus, 0.0
	for k := range t {
		sum += p
		t[k] = newChance(sum)
		p = float64(p*mean) / float64(k+1)
	}
	return t
}

var (
	poisson1  = newPoisson(1, 0.36787944117144233, 16)
	poisson12 = newPoisson(12, 6.14421235332821e-06, 48)
)

func (s *stream) poisson(t poisson) time.Duration {
	u := chance(s.next() >> 11)
	for k, c := range t {
		if u < c {
			return time.Duration(k)
		}
	}
	return time.Duration(len(t))
}

// wifi draws from the Wi-Fi model.
func (s *stream) wifi(spike chance) time.Duration {
	n := s.poisson(poisson1)
	d := n * time.Millisecond
	if part := time.Duration(s.next() % uint64(time.Millisecond)); n >= 1 {
		d -= part
	}
	if s.hit(spike) {
		d += s.poisson(poisson12) * wifiSlot
	}
	return d
}

// delay draws one packet's time on the way.
func (p *plan) delay(s *stream) time.Duration {
	if p.WiFi {
		return p.Delay + s.wifi(p.spike)
	}
	if p.Jitter == 0 {
		return p.Delay
	}
	for range maxTries {
		if d := p.Delay + p.Jitter*time.Duration(s.normal())/65536; d >= 0 {
			return d
		}
	}
	return 0
}
