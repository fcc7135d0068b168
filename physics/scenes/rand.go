package scenes

// Rand draws the numbers of the scenes: a linear congruential generator, which
// can jump to any place of its stream.
type Rand uint32

const (
	lcgMul = 1664525
	lcgAdd = 1013904223
)

// Next returns a number in [0, 1).
func (r *Rand) Next() float64 {
	*r = *r*lcgMul + lcgAdd
	return float64(float64(*r>>8) * (1.0 / 16777216)) // exact; rounded only for who looks for unrounded products
}

// in returns a number in [from, from+width).
func (r *Rand) in(from, width float64) float64 { return from + float64(width*r.Next()) }

// Skip passes over n draws. The n-fold step is again a*x + b, found by
// doubling.
func (r *Rand) Skip(n int) {
	a, b := Rand(lcgMul), Rand(lcgAdd)
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			*r = *r*a + b
		}
		a, b = a*a, (a+1)*b
	}
}
