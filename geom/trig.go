package geom

// Sin returns the sine of x radians, within 0.51 ulp. NaN and |x| > 2^20
// count as 0.
func Sin(x float32) float32 {
	s, _ := SinCos(x)
	return s
}

// Cos returns the cosine of x radians, within 0.51 ulp. NaN and |x| > 2^20
// count as 0.
func Cos(x float32) float32 {
	_, c := SinCos(x)
	return c
}

// SinCos returns sine and cosine of x radians, each within 0.51 ulp. NaN and
// |x| > 2^20 count as 0.
func SinCos(x float32) (sin, cos float32) {
	if !(x >= -maxAngle && x <= maxAngle) {
		return 0, 1
	}
	n := float64(float64(x) * twoOverPi)
	if n < 0 {
		n -= 0.5
	} else {
		n += 0.5
	}
	k := int32(n) // towards zero: the nearest quarter turn
	q := float64(k)
	r := float64(x) - float64(q*quarterHi) - float64(q*quarterLo)

	z := float64(r * r)
	p := float64(z*sin11) + sin9
	p = float64(z*p) + sin7
	p = float64(z*p) + sin5
	p = float64(z*p) + sin3
	s := float32(r + float64(float64(r*z)*p))

	p = float64(z*cos10) + cos8
	p = float64(z*p) + cos6
	p = float64(z*p) + cos4
	p = float64(z*p) + cos2
	c := float32(1 + float64(z*p))

	switch k & 3 {
	case 0:
		return s, c
	case 1:
		return c, -s
	case 2:
		return -s, -c
	default:
		return -c, s
	}
}

// Atan2 returns the angle of the vector (x, y) in (-Pi, Pi], within 0.52 ulp.
// The zero vector has angle 0, -0 counts as 0, and so does a vector that is
// not finite. Argument order is that of math.Atan2.
func Atan2(y, x float32) float32 {
	if !Finite(x) || !Finite(y) {
		return 0
	}
	ay, ax := float64(Abs(y)), float64(Abs(x))
	n, d := ay, ax
	if ay > ax {
		n, d = ax, ay
	}
	if d == 0 {
		return 0
	}
	// atan(n/d) for n <= d, by pi/4 + atan((n-d)/(n+d)) where n/d is large.
	base := 0.0
	if n > float64(d*tanPi8) {
		base, n, d = pi/4, n-d, n+d
	}
	t := n / d
	z := float64(t * t)
	p := float64(z*atan11) + atan9
	p = float64(z*p) + atan7
	p = float64(z*p) + atan5
	p = float64(z*p) + atan3
	p = float64(z*p) + atan1
	a := base + float64(t*p)
	if ay > ax {
		a = pi/2 - a
	}
	if x < 0 {
		a = pi - a
	}
	if y < 0 {
		a = -a
	}
	return float32(a)
}
