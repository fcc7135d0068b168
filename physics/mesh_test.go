package physics

import (
	"testing"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/shape"
)

// flat is level ground of n*n cells about the origin, as a mesh, as a field or
// as a box.
func flat(st *shape.Store, kind shape.Kind, n int) (shape.Shape, geom.Vec3) {
	half := float32(n) / 2
	switch kind {
	case shape.Field:
		return shape.Must(st.AddField(n+1, n+1, 1, make([]float32, (n+1)*(n+1)))), geom.V3(-half, 0, -half)
	case shape.Box:
		return shape.Must(shape.NewBox(geom.V3(half, 1, half))), geom.V3(0, -1, 0)
	}
	var v []geom.Vec3
	var t [][3]uint32
	w := uint32(n + 1)
	for j := range w {
		for i := range w {
			v = append(v, geom.V3(float32(i)-half, 0, float32(j)-half))
			if q := j*w + i; int(i) < n && int(j) < n {
				t = append(t, [3]uint32{q, q + w, q + 1}, [3]uint32{q + 1, q + w, q + w + 1})
			}
		}
	}
	return shape.Must(st.AddMesh(v, t)), geom.Vec3{}
}

// slide lets a body go over level ground and returns where it ends and the
// furthest that it left its height.
func slide(t *testing.T, ground shape.Kind, s shape.Shape, height float32, vel geom.Vec3) (end geom.Vec3, off float32) {
	st := new(shape.Store)
	w := New(Config{Gravity: Earth, Shapes: st, NoSleep: true})
	g, at := flat(st, ground, 60)
	put(t, w, 1, Static, g, at, geom.Identity(), nil)
	put(t, w, 2, Dynamic, s, geom.V3(-20.3, height, -7.1), geom.FromAxisAngle(geom.V3(0, 1, 0), 0.3), func(d *Def) { d.Lock = LockSpinX | LockSpinZ })
	if err := w.SetVelocity(2, vel, geom.Vec3{}); err != nil {
		t.Fatal(err)
	}
	for range 240 {
		w.Step()
		x, _ := w.State(2)
		if d := geom.Abs(x.Pos.Y - height); d > off {
			off = d
		}
		end = x.Pos
	}
	return end, off
}

// TestSlidesOverTriangles: level ground of triangles is as smooth as a box.
func TestSlidesOverTriangles(t *testing.T) {
	for _, c := range []struct {
		name   string
		shape  shape.Shape
		height float32
	}{
		{"box", shape.Must(shape.NewBox(geom.V3(0.7, 0.5, 0.4))), 0.5},
		{"sphere", shape.Must(shape.NewSphere(0.5)), 0.5},
		{"capsule", shape.Must(shape.NewCapsule(0.4, 0.5)), 0.9},
	} {
		vel := geom.V3(8, 0, 3)
		want, smooth := slide(t, shape.Box, c.shape, c.height, vel)
		for _, k := range []shape.Kind{shape.Mesh, shape.Field} {
			end, off := slide(t, k, c.shape, c.height, vel)
			t.Logf("%s on %d: %v, %v off; on a box %v, %v off", c.name, k, end, off, want, smooth)
			if off > smooth+0.002 || end.Dist(want) > 0.1 {
				t.Errorf("%s on %d: ends at %v, %v m off its height; on a box %v, %v", c.name, k, end, off, want, smooth)
			}
		}
	}
}

// platform is a box as twelve triangles.
func platform(st *shape.Store, h geom.Vec3) shape.Shape {
	var v []geom.Vec3
	for i := range 8 {
		p := h
		if i&1 == 0 {
			p.X = -h.X
		}
		if i&2 == 0 {
			p.Y = -h.Y
		}
		if i&4 == 0 {
			p.Z = -h.Z
		}
		v = append(v, p)
	}
	var t [][3]uint32
	for _, q := range [][4]uint32{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}} {
		t = append(t, [3]uint32{q[0], q[1], q[2]}, [3]uint32{q[0], q[2], q[3]})
	}
	return shape.Must(st.AddMesh(v, t))
}

// TestPlatformOfTriangles puts bodies on, beside and over the rim of a
// platform: as a mesh it does what it does as a box.
func TestPlatformOfTriangles(t *testing.T) {
	crate := shape.Must(shape.NewBox(geom.V3(0.5, 0.5, 0.5)))
	ball := shape.Must(shape.NewSphere(0.5))
	pill := shape.Must(shape.NewCapsule(0.3, 0.5))
	lying := geom.FromAxisAngle(geom.V3(0, 0, 1), geom.Pi/2)
	for _, c := range []struct {
		name  string
		shape shape.Shape
		at    geom.Vec3
		rot   geom.Quat
		vel   geom.Vec3
		steps int
		far   float32 // m that the ends may be apart; an impact shares itself out differently over other points
	}{
		{"crate in the middle", crate, geom.V3(0, 1.5, 0), geom.Identity(), geom.Vec3{}, 120, 0.002},
		{"crate over the rim", crate, geom.V3(1.9, 1.5, 0.2), geom.Identity(), geom.Vec3{}, 120, 0.002},
		{"crate over a corner", crate, geom.V3(1.9, 1.5, 1.9), geom.FromAxisAngle(geom.V3(0, 1, 0), 0.5), geom.Vec3{}, 120, 0.002},
		{"crate that slides along the rim", crate, geom.V3(1.8, 1.5, -1.5), geom.Identity(), geom.V3(0, 0, 3), 60, 0.02},
		{"crate that meets the side", crate, geom.V3(4, 0, 0.3), geom.Identity(), geom.V3(-6, 3, 0), 20, 0.1},
		{"ball on the rim", ball, geom.V3(1.99, 1.5, 0), geom.Identity(), geom.Vec3{}, 60, 0.02},
		{"ball along the rim", ball, geom.V3(1.9, 1.5, -1.9), geom.Identity(), geom.V3(0, 0, 3), 60, 0.02},
		{"ball at the side", ball, geom.V3(4, 0.4, 0), geom.Identity(), geom.V3(-6, 2, 1), 30, 0.02},
		{"capsule lying over the rim", pill, geom.V3(1.9, 1.3, 0), lying, geom.Vec3{}, 120, 0.002},
	} {
		var end [2]State
		for k := range end {
			st := new(shape.Store)
			w := New(Config{Gravity: Earth, Shapes: st, NoSleep: true})
			h := geom.V3(2, 1, 2)
			ground := shape.Must(shape.NewBox(h))
			if k == 1 {
				ground = platform(st, h)
			}
			put(t, w, 1, Static, ground, geom.Vec3{}, geom.Identity(), nil)
			put(t, w, 2, Dynamic, c.shape, c.at, c.rot, nil)
			if err := w.SetVelocity(2, c.vel, geom.Vec3{}); err != nil {
				t.Fatal(err)
			}
			for range c.steps {
				w.Step()
			}
			end[k], _ = w.State(2)
		}
		if d := end[0].Pos.Dist(end[1].Pos); d > c.far {
			t.Errorf("%s: at %v turned %v as a mesh, %v turned %v as a box: %v m apart", c.name, end[1].Pos, end[1].Rot, end[0].Pos, end[0].Rot, d)
		}
	}
}
