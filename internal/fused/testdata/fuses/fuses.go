// Package fuses has every form that must be found, each on a marked line. Go
// does not fuse a subtraction on amd64.
package fuses

type pair struct{ x, y float32 }

func dot(a, b pair) float32 {
	return a.x*b.x + a.y*b.y // fuses
}

// Multiply fuses plainly, inlined and through a variable.
func Multiply(x, y, z float32, p, q pair) float32 {
	a := x*y + z // fuses
	b := dot(p, q)
	m := x * z
	c := y - m // fuses, not on amd64
	return a / b / c
}

// Half rounds the first product and forgets the second.
func Half(a, b pair) float32 {
	return float32(a.x*b.x) + a.y*b.y // fuses
}

// Double fuses in float64.
func Double(x, y, z float64) float64 {
	x += y * z // fuses
	return x
}

// Generic fuses once it is instantiated.
func Generic[F float32 | float64](x, y, z F) F {
	return x*y - z // fuses, not on amd64
}

var _ = Generic[float32](1, 2, 3)

// Rounded does not fuse.
func Rounded(x, y, z float32) float32 {
	return float32(x*y) + z
}
