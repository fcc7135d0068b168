package geom

// Trigonometry is evaluated in float64 and rounded once, so its error is the
// rounding's half ulp plus what the series leave out, which is far less.

// Taylor coefficients on [-pi/4, pi/4]. The first term left out is under 7e-12
// (sine) and 2e-10 (cosine); one term fewer would show in a float32.
const (
	sin3  = -1.0 / 6
	sin5  = 1.0 / 120
	sin7  = -1.0 / 5040
	sin9  = 1.0 / 362880
	sin11 = -1.0 / 39916800

	cos2  = -1.0 / 2
	cos4  = 1.0 / 24
	cos6  = -1.0 / 720
	cos8  = 1.0 / 40320
	cos10 = -1.0 / 3628800
)

// atan(t)/t as a polynomial in t*t through six Chebyshev nodes of
// [0, tan(pi/8)^2]; the error of atan is under 2.3e-10.
const (
	atan1  = 0.9999999993712282
	atan3  = -0.33333306893050196
	atan5  = 0.19998183041131562
	atan7  = -0.14239532670272484
	atan9  = 0.1056982881025639
	atan11 = -0.060263052365912374
)

const (
	pi        = 3.14159265358979323846264338327950288
	twoOverPi = 2 / pi

	// pi/2 in two parts. The first has 33 bits, so its product with a count of
	// quarter turns below 2^20 is exact in float64.
	quarterHi = 0x1.921fb544p+0
	quarterLo = pi/2 - quarterHi

	tanPi8 = 0.41421356237309504880168872420969808

	// maxAngle, in radians. Beyond it float32 resolves an eighth of a radian
	// and the count of quarter turns nears 2^20; such an angle counts as 0.
	maxAngle = 1 << 20

	// minLen2 is the smallest squared length a direction is taken from: under
	// it float32 squares lose their bits and the result would not be a unit
	// vector. As a length, 1e-17.
	minLen2 = 1e-34

	maxFloat32 = 0x1p127 * (1 + (1 - 0x1p-23))
)
