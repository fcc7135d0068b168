package geom

import (
	"math"
	"math/rand/v2"
	"testing"
)

const seed = 7 // of every random test here

func rng() *rand.Rand { return rand.New(rand.NewPCG(seed, seed)) }

// ulps returns |got-want| in units of the last place of want as a float32.
func ulps(got float32, want float64) float64 {
	w := float32(want)
	up := math.Nextafter32(Abs(w), math.MaxFloat32) - Abs(w)
	return math.Abs(float64(got)-want) / float64(up)
}

func TestSinCosError(t *testing.T) {
	r := rng()
	var worst float64
	check := func(x float32) {
		s, c := SinCos(x)
		if s != Sin(x) || c != Cos(x) {
			t.Fatalf("SinCos(%v) is not Sin and Cos", x)
		}
		ws, wc := math.Sincos(float64(x))
		worst = max(worst, ulps(s, ws), ulps(c, wc))
	}
	for range 300_000 {
		check((r.Float32() - 0.5) * 16)                      // angles of a game
		check((r.Float32() - 0.5) * 2 * maxAngle)            // all allowed
		check(math.Float32frombits(r.Uint32() % (64 << 23))) // tiny
	}
	for k := range 2000 { // where quarter turns meet, and where one result is near 0
		for _, q := range []float64{math.Pi / 4, math.Pi / 2} {
			x := float32(float64(k) * q)
			check(x)
			check(math.Nextafter32(x, 0))
			check(-math.Nextafter32(x, maxAngle))
		}
	}
	t.Logf("worst error %.4f ulp (seed %d)", worst, seed)
	if worst > 0.51 {
		t.Errorf("worst error %.4f ulp, 0.51 is promised", worst)
	}
}

func TestSinCosOutside(t *testing.T) {
	for _, x := range []float32{nan, inf, -inf, math.MaxFloat32, maxAngle + 1, -maxAngle - 1} {
		if s, c := SinCos(x); s != 0 || c != 1 {
			t.Errorf("SinCos(%v) = %v, %v; want 0, 1", x, s, c)
		}
	}
	if s, _ := SinCos(maxAngle); ulps(s, math.Sin(maxAngle)) > 0.51 {
		t.Errorf("Sin(maxAngle) = %v", s)
	}
}

func TestAtan2Error(t *testing.T) {
	r := rng()
	var worst float64
	check := func(y, x float32) {
		got := Atan2(y, x)
		worst = max(worst, ulps(got, math.Atan2(float64(y), float64(x))))
		if got > Pi || got < -Pi {
			t.Fatalf("Atan2(%v, %v) = %v", y, x, got)
		}
	}
	for range 300_000 {
		check(r.Float32()-0.5, r.Float32()-0.5)
		x, y := math.Float32frombits(r.Uint32()), math.Float32frombits(r.Uint32())
		if Finite(x) && Finite(y) && math.Abs(float64(y)/float64(x)) > 1e-30 { // below, the result is no normal float32
			check(y, x)
		}
	}
	t.Logf("worst error %.4f ulp (seed %d)", worst, seed)
	if worst > 0.52 {
		t.Errorf("worst error %.4f ulp, 0.52 is promised", worst)
	}
}

var (
	nan  = float32(math.NaN())
	inf  = float32(math.Inf(1))
	negz = float32(math.Copysign(0, -1))
)

func TestAtan2Edges(t *testing.T) {
	for _, c := range []struct{ y, x, want float32 }{
		{0, 0, 0}, {negz, negz, 0}, {0, 1, 0}, {negz, 1, 0},
		{0, -1, Pi}, {negz, -1, Pi}, {1, 0, Pi / 2}, {-1, 0, -Pi / 2},
		{1, 1, Pi / 4}, {-1, -1, -3 * Pi / 4},
		{nan, 1, 0}, {1, nan, 0}, {inf, inf, 0}, {1, inf, 0}, {-inf, 1, 0},
	} {
		if got := Atan2(c.y, c.x); math.Float32bits(got) != math.Float32bits(c.want) {
			t.Errorf("Atan2(%v, %v) = %v, want %v", c.y, c.x, got, c.want)
		}
	}
}

func TestScalars(t *testing.T) {
	for _, c := range []struct{ got, want float32 }{
		{Floor(-0.5), -1}, {Floor(2), 2}, {Floor(1e10), 1e10},
		{Abs(negz), 0}, {Abs(-3), 3},
		{Clamp(nan, -1, 1), -1}, {Clamp(inf, -1, 1), 1}, {Clamp(-inf, -1, 1), -1}, {Clamp(0.5, -1, 1), 0.5},
		{Sqrt(2), math.Sqrt2}, {Lerp(1, 3, 0.5), 2},
	} {
		if math.Float32bits(c.got) != math.Float32bits(c.want) {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
	if Finite(nan) || Finite(inf) || Finite(-inf) || !Finite(math.MaxFloat32) || !Finite(0) {
		t.Error("Finite is wrong")
	}
}

func near(t *testing.T, what string, got, want Vec3, tol float32) {
	t.Helper()
	if !(got.Dist(want) <= tol) {
		t.Errorf("%s = %v, want %v within %g", what, got, want, tol)
	}
}

func TestVec(t *testing.T) {
	x, y, z := V3(1, 0, 0), V3(0, 1, 0), V3(0, 0, 1)
	near(t, "x cross y", x.Cross(y), z, 0)
	near(t, "y cross z", y.Cross(z), x, 0)
	near(t, "lerp", V3(1, 2, 3).Lerp(V3(3, 2, 1), 0.25), V3(1.5, 2, 2.5), 0)
	near(t, "muladd", x.MulAdd(y, 3), V3(1, 3, 0), 0)
	if V2(3, 4).Len() != 5 || V3(2, 3, 6).Len() != 7 || V2(1, 1).Dist(V2(4, 5)) != 5 {
		t.Error("Len is wrong")
	}
	if V2(1, 0).Perp() != V2(0, 1) || V2(1, 0).Cross(V2(0, 1)) != 1 || V2(1, 2).Dot(V2(3, 4)) != 11 {
		t.Error("Perp, Cross or Dot is wrong")
	}
	if got := V2(2, 0).Rotate(Pi / 2); got.Dist(V2(0, 2)) > 1e-6 {
		t.Errorf("Rotate = %v", got)
	}
	if got := V2(-1, 1).Angle(); ulps(got, 3*math.Pi/4) > 1 {
		t.Errorf("Angle = %v", got)
	}
	if math.Float32bits(V2(0, 1).Neg().X) != 0 || math.Float32bits(V3(0, 0, 0).Neg().Z) != 0 {
		t.Error("Neg makes a -0")
	}
}

func TestNormZeroSafe(t *testing.T) {
	for _, k := range []float32{0, 1e-18, 1e-30, 1e20, inf, nan} {
		if got := V2(k, k).Norm(); got != (Vec2{}) {
			t.Errorf("Vec2 %v: %v", k, got)
		}
		if got := V3(k, k, k).Norm(); got != (Vec3{}) {
			t.Errorf("Vec3 %v: %v", k, got)
		}
		if got := (Quat{k, k, k, k}).Norm(); got != Identity() {
			t.Errorf("Quat %v: %v", k, got)
		}
	}
	r := rng()
	for range 100_000 {
		scale := float32(math.Exp2(float64(r.IntN(106) - 52)))
		v := V3(r.Float32()+0.1, r.Float32()-0.5, r.Float32()-0.5).Mul(scale)
		if l := v.Norm().Len(); Abs(l-1) > 3e-7 {
			t.Fatalf("%v: unit length is %v (seed %d)", v, l, seed)
		}
	}
}

func randomQuat(r *rand.Rand) Quat {
	return Quat{r.Float32() - 0.5, r.Float32() - 0.5, r.Float32() - 0.5, r.Float32() - 0.5}.Norm()
}

func TestQuatAlgebra(t *testing.T) {
	near(t, "turn x about z", FromAxisAngle(V3(0, 0, 2), Pi/2).Rotate(V3(1, 0, 0)), V3(0, 1, 0), 2e-7)
	if FromAxisAngle(Vec3{}, 1) != Identity() {
		t.Error("no axis is not Identity")
	}
	r := rng()
	for range 10_000 {
		a, b := randomQuat(r), randomQuat(r)
		v := V3(r.Float32()-0.5, r.Float32()-0.5, r.Float32()-0.5).Norm()
		near(t, "(ab)v", a.Mul(b).Rotate(v), a.Rotate(b.Rotate(v)), 1e-6)
		near(t, "there and back", a.Unrotate(v.Rotate(a)), v, 2*1e-6)
		near(t, "unrotate", a.Unrotate(v), a.Conj().Rotate(v), 0)
		near(t, "canonical", a.Canonical().Rotate(v), a.Rotate(v), 0)
		if a.Canonical() != (Quat{-a.X, -a.Y, -a.Z, -a.W}).Canonical() {
			t.Fatalf("%v: two canonical forms (seed %d)", a, seed)
		}
		// Rodrigues' formula in float64.
		angle := (r.Float32() - 0.5) * 12
		axis := V3(r.Float32()-0.5, r.Float32()-0.5, 0.3).Norm()
		s, c := math.Sincos(float64(angle))
		want := v.Mul(float32(c)).Add(axis.Cross(v).Mul(float32(s))).Add(axis.Mul(axis.Dot(v) * float32(1-c)))
		near(t, "Rodrigues", FromAxisAngle(axis, angle).Rotate(v), want, 1.5e-6)
	}
}

func TestCanonicalZero(t *testing.T) {
	for _, c := range []struct{ in, want Quat }{
		{Quat{negz, negz, negz, 1}, Quat{0, 0, 0, 1}},
		{Quat{0, 0, 0, -1}, Quat{0, 0, 0, 1}},
		{Quat{-1, 0, 0, negz}, Quat{1, 0, 0, 0}},
		{Quat{negz, -1, 0, 0}, Quat{0, 1, 0, 0}},
		{Quat{0, 0, -1, 0}, Quat{0, 0, 1, 0}},
		{Quat{0, 0, 1, negz}, Quat{0, 0, 1, 0}},
	} {
		got := c.in.Canonical()
		if bitsOf(got) != bitsOf(c.want) {
			t.Errorf("%v: %v, want %v", c.in, got, c.want)
		}
	}
}

func bitsOf(q Quat) [4]uint32 {
	return [4]uint32{math.Float32bits(q.X), math.Float32bits(q.Y), math.Float32bits(q.Z), math.Float32bits(q.W)}
}

// angleBetween returns the turn from a to b in radians, computed in float64.
func angleBetween(a, b Quat) float64 {
	d := a.Conj().Mul(b)
	v := math.Hypot(math.Hypot(float64(d.X), float64(d.Y)), float64(d.Z))
	return 2 * math.Atan2(v, math.Abs(float64(d.W)))
}

func TestNlerp(t *testing.T) {
	r := rng()
	const degree = math.Pi / 180
	for range 2000 {
		a := randomQuat(r)
		axis := V3(r.Float32()-0.5, r.Float32()-0.5, 0.3).Norm()
		turn := r.Float32() * Pi / 2
		b := FromAxisAngle(axis, turn).Mul(a)
		k := r.Float32()
		want := FromAxisAngle(axis, turn*k).Mul(a)
		got := a.Nlerp(b, k)
		if d := angleBetween(got, want); d > 1*degree {
			t.Fatalf("%.2f degrees off at %v of %v (seed %d)", d/degree, k, turn, seed)
		}
		far := a.Nlerp(Quat{-b.X, -b.Y, -b.Z, -b.W}, k)
		if angleBetween(far, got) > 1e-6 {
			t.Fatalf("not the shortest way (seed %d)", seed)
		}
		if angleBetween(a.Nlerp(b, 0), a) > 1e-6 || angleBetween(a.Nlerp(b, 1), b) > 1e-6 {
			t.Fatalf("ends moved (seed %d)", seed)
		}
	}
}

func TestIntegrate(t *testing.T) {
	r := rng()
	for _, c := range []struct{ turn, within float64 }{{0.1, 1e-6}, {0.4, 2e-6}, {1, 8e-4}} {
		for range 2000 {
			q := randomQuat(r)
			axis := V3(r.Float32()-0.5, r.Float32()-0.5, 0.3).Norm()
			dt := 1 + r.Float32()
			got := q.Integrate(axis.Mul(float32(c.turn)/dt), dt)
			want := FromAxisAngle(axis, float32(c.turn)).Mul(q)
			if d := angleBetween(got, want); d > c.within+5e-7 { // and the rounding of got, want and the comparison
				t.Fatalf("turn %v: off by %g rad (seed %d)", c.turn, d, seed)
			}
			if l := got.Dot(got); Abs(l-1) > 5e-7 {
				t.Fatalf("length^2 %v", l)
			}
		}
	}
	if q := Identity().Integrate(V3(inf, 0, 0), 1); !q.Finite() {
		t.Errorf("an infinite speed gives %v", q)
	}
}

func TestNoAllocation(t *testing.T) {
	q, v := Identity(), V3(1, 2, 3)
	if n := testing.AllocsPerRun(100, func() {
		q = q.Integrate(v, 0.01).Nlerp(q, 0.5)
		v = q.Rotate(v).Norm()
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
