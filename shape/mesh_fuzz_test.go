package shape

import (
	"encoding/binary"
	"math"
	"math/rand"
	"testing"

	"github.com/foretick/foretick/geom"
)

// feed gives values from fuzzed bytes, zeros when they run out.
type feed []byte

func (f *feed) next() uint32 {
	var b [4]byte
	*f = (*f)[copy(b[:], *f):]
	return binary.LittleEndian.Uint32(b[:])
}

// coord is a small whole number of quarters, or any bits at all.
func (f *feed) coord() float32 {
	if x := f.next(); x&7 != 0 {
		return float32(int32(x>>3&63)-32) / 4
	}
	return math.Float32frombits(f.next())
}

func (f *feed) vec() geom.Vec3 { return geom.V3(f.coord(), f.coord(), f.coord()) }

// FuzzMesh adds meshes and fields of any values and casts at them: every
// number that comes back is finite and names a triangle that is there.
func FuzzMesh(f *testing.F) {
	seed := make([]byte, 400)
	for i := range seed {
		seed[i] = byte(i * i * 31)
	}
	f.Add(seed)
	f.Add([]byte{1, 0, 0, 0})
	f.Fuzz(castAtAnything)
}

// TestCastsAtAnything does what FuzzMesh does with random bytes.
func TestCastsAtAnything(t *testing.T) {
	const seed = 18
	r := rand.New(rand.NewSource(seed))
	data := make([]byte, 2000)
	for range 3000 {
		r.Read(data)
		castAtAnything(t, data)
	}
}

func castAtAnything(t *testing.T, data []byte) {
	in := feed(data)
	var v []geom.Vec3
	for range 3 + in.next()%13 {
		v = append(v, in.vec())
	}
	var tri [][3]uint32
	for range 1 + in.next()%20 {
		k := in.next()
		n := uint32(len(v))
		tri = append(tri, [3]uint32{k & 255 % n, k >> 8 & 255 % n, k >> 16 & 255 % (n + k>>31)})
	}
	var st Store
	s, err := st.AddMesh(v, tri)
	if nx := 2 + int(in.next()%3); err != nil || in.next()&1 == 0 {
		heights := make([]float32, nx*2)
		for i := range heights {
			heights[i] = in.coord()
		}
		if s, err = st.AddField(nx, 2, geom.Abs(in.coord()), heights); err != nil {
			return
		}
		tri = make([][3]uint32, 2*(nx-1))
	}
	fr := geom.FrameOf(geom.Vec3{}, geom.Quat{X: in.coord(), Y: in.coord(), Z: in.coord(), W: in.coord()}.Norm())
	for range 6 {
		c := Cast{Round: Round{A: in.vec(), B: in.vec(), R: geom.Abs(in.coord())}, Move: in.vec(), Ray: in.next()&1 == 0}
		if !finiteCast(&c) {
			continue
		}
		if h, ok := st.Cast(s, &fr, &c, 1); ok {
			if !(h.Fraction >= 0 && h.Fraction <= 1) || !h.Point.Finite() || !h.Normal.Finite() || int(h.Feature) >= len(tri) {
				t.Fatalf("%+v: %+v", c, h)
			}
		}
		for _, x := range st.Overlaps(s, &fr, &c.Round, nil) {
			if !geom.Finite(x.Depth) || !x.Point.Finite() || !x.Normal.Finite() || int(x.Feature) >= len(tri) {
				t.Fatalf("%+v: %+v", c, x)
			}
		}
		box := Must(NewBox(geom.V3(1, 0.5, 2)))
		fa := geom.FrameOf(c.A, geom.Identity())
		for _, m := range st.Contacts(box, &fa, s, &fr, 0.1, nil) {
			if m.Count < 1 || m.Count > 4 || !m.Normal.Finite() || int(m.Feature) >= len(tri) {
				t.Fatalf("%+v: %+v", c, m)
			}
		}
	}
}

// finiteCast is what package physics lets through.
func finiteCast(c *Cast) bool {
	ok := c.R >= 0.001 && c.R <= 1e4
	for _, x := range [...]geom.Vec3{c.A, c.B, c.Move} {
		ok = ok && geom.Abs(x.X) <= 4e5 && geom.Abs(x.Y) <= 4e5 && geom.Abs(x.Z) <= 4e5
	}
	return ok
}
