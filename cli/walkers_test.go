//go:build !js

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/internal/soup"
	"github.com/foretick/foretick/physics"
)

// realMap reads one of the real maps, which are not part of the project.
func realMap(t *testing.T, name string) (file string, v []geom.Vec3, tri [][3]uint32) {
	t.Helper()
	file = filepath.Join("../../shared/data/levels", name)
	if _, err := os.Stat(file); err != nil {
		t.Skip("no ../shared/data/levels beside the project")
	}
	v, tri, err := readLevel(file)
	if err != nil {
		t.Fatal(err)
	}
	return file, v, tri
}

// play lets n walkers walk in a space, the world if it is nil.
func playWalkers(t *testing.T, v []geom.Vec3, tri [][3]uint32, n int, seconds float64, change func(*walkers)) *walkSum {
	t.Helper()
	world, err := worldOf(v, tri)
	if err != nil {
		t.Fatal(err)
	}
	w := newWalkers(v, tri, world)
	w.seconds = seconds
	if change != nil {
		change(w)
	}
	sum := new(walkSum)
	for i := range n {
		r, err := w.play(i)
		if err != nil {
			t.Fatal(err)
		}
		sum.add(r)
	}
	return sum
}

func TestWalkers(t *testing.T) {
	for _, name := range []string{"dm6ish.glb", "oa_koth1.glb"} {
		_, v, tri := realMap(t, name)
		s := playWalkers(t, v, tri, 30, 15, nil)
		if len(s.failed) > 0 || s.rested < 25 || s.paths[0] == 0 {
			t.Errorf("%s:\n%s", name, s)
		}
	}
}

func TestWalkersCommand(t *testing.T) {
	file, _, _ := realMap(t, "dm6ish.glb")
	code, out, said := runLab("walkers", "-level", file, "-n", "8", "-workers", "2")
	if code != 0 || said != "" || !strings.Contains(out, "8 of 8 walkers") || !strings.Contains(out, "through a triangle         0\n") ||
		!strings.Contains(out, "covered 100 m              8 (100.0 %)") {
		t.Errorf("%d %q:\n%s", code, said, out)
	}
	_, one, _ := runLab("walkers", "-level", file, "-walker", "3")
	_, same, _ := runLab("walkers", "-level", file, "-walker", "3", "-workers", "1", "-n", "7")
	if one != same || !strings.Contains(one, "walkers                    1, 3600 ticks") {
		t.Errorf("not the same:\n%s\n%s", one, same)
	}
	bad := filepath.Join(t.TempDir(), "bad.glb")
	if err := os.WriteFile(bad, []byte("solid cube"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{nil, 2, "-level FILE"},
		{[]string{"-level", "nowhere.glb"}, 1, "nowhere.glb cannot be read"},
		{[]string{"-level", bad}, 1, "not a glTF"},
		{[]string{"-level", t.TempDir()}, 1, "no file"},
		{[]string{"-level", file, "-n", "0"}, 2, "-n is"},
		{[]string{"-level", file, "-seconds", "NaN"}, 2, "-seconds is"},
	} {
		if code, _, said := runLab(append([]string{"walkers"}, c.args...)...); code != c.code || !strings.Contains(said, c.want) {
			t.Errorf("%v: %d %q", c.args, code, said)
		}
	}
}

// thin casts a capsule that is 10 cm thinner than the character.
type thin struct{ *physics.World }

func (s thin) CapsuleCast(c physics.Capsule, move geom.Vec3, q *physics.Query) (physics.Hit, bool) {
	c.Radius -= 0.1
	return s.World.CapsuleCast(c, move, q)
}
func (s thin) CapsuleOverlap(_ physics.Capsule, _ *physics.Query, out []physics.Overlap) []physics.Overlap {
	return out
}

// drafty pushes a little to one side, always.
type drafty struct{ *physics.World }

func (s drafty) CapsuleOverlap(_ physics.Capsule, _ *physics.Query, out []physics.Overlap) []physics.Overlap {
	return append(out, physics.Overlap{Normal: geom.V3(0, 0, 1), Depth: 1e-4})
}

// sticky ends every move that begins near something.
type sticky struct{ *physics.World }

func (s sticky) CapsuleCast(c physics.Capsule, move geom.Vec3, q *physics.Query) (physics.Hit, bool) {
	hit, ok := s.World.CapsuleCast(c, move, q)
	wide := c
	wide.Radius += 0.05
	wide.Pos.Y += 0.1
	if near := s.World.CapsuleOverlap(wide, q, nil); len(near) > 0 && move.Y == 0 {
		return physics.Hit{ID: 1, Normal: move.Neg().Norm()}, true
	}
	return hit, ok
}

// Each check finds what it is there for.
func TestWalkersPlanted(t *testing.T) {
	_, v, tri := realMap(t, "oa_koth1.glb")
	for _, c := range []struct {
		name, want string
		n          int
		change     func(*walkers)
	}{
		{"triangles with one side", "through triangle", 16, func(w *walkers) {
			w.space = &soup.Engine{Soup: soup.New(v, tri), ID: 1, OneSided: true}
		}},
		{"casts of a thinner capsule", "m inside triangle", 5, func(w *walkers) { w.space = thin{w.space.(*physics.World)} }},
		{"a judge with another map", "the judge's grid", 3, func(w *walkers) {
			w.full = *soup.New(v, tri[:len(tri)/10])
			w.full.Full = true
		}},
		{"a draft", "crept", 3, func(w *walkers) { w.space = drafty{w.space.(*physics.World)} }},
		{"walls that stick", "with a way out", 12, func(w *walkers) { w.space = sticky{w.space.(*physics.World)} }},
	} {
		s := playWalkers(t, v, tri, c.n, 45, c.change)
		if s.Err() == nil || !strings.Contains(s.String(), c.want) {
			t.Errorf("%s: not found:\n%s", c.name, s)
		}
	}
}

// In a pit with a kerb whoever cannot step stays.
func TestWalkersWithoutSteps(t *testing.T) {
	var v []geom.Vec3
	var tri [][3]uint32
	quad := func(p ...geom.Vec3) {
		n := uint32(len(v))
		v = append(v, p...)
		tri = append(tri, [3]uint32{n, n + 1, n + 2}, [3]uint32{n, n + 2, n + 3})
	}
	floor := func(x0, z0, x1, z1, y float32) {
		quad(geom.V3(x0, y, z0), geom.V3(x0, y, z1), geom.V3(x1, y, z1), geom.V3(x1, y, z0))
	}
	wall := func(x0, z0, x1, z1, low, high float32) {
		quad(geom.V3(x0, low, z0), geom.V3(x1, low, z1), geom.V3(x1, high, z1), geom.V3(x0, high, z0))
	}
	const pit, room = 0.5, 30
	floor(-pit, -pit, pit, pit, 0)
	floor(-room, -room, -pit, room, 0.5)
	floor(pit, -room, room, room, 0.5)
	floor(-pit, -room, pit, -pit, 0.5)
	floor(-pit, pit, pit, room, 0.5)
	for _, b := range [][3]float32{{pit, 0, 0.5}, {room, 0.5, 9}} {
		x, low, high := b[0], b[1], b[2]
		wall(-x, -x, x, -x, low, high)
		wall(x, -x, x, x, low, high)
		wall(x, x, -x, x, low, high)
		wall(-x, x, -x, -x, low, high)
	}
	inPit := func(step float32) func(*walkers) {
		return func(w *walkers) {
			w.config.Step, w.config.Jump = step, 0
			w.floors, w.areas = w.floors[:2], w.areas[:2] // all start in it
		}
	}
	if s := playWalkers(t, v, tri, 5, 60, inPit(0.56)); s.Err() != nil {
		t.Errorf("with steps: %v\n%s", s.Err(), s)
	}
	if s := playWalkers(t, v, tri, 5, 60, inPit(0)); s.Err() == nil || !strings.Contains(s.Err().Error(), "covered") || s.excused == 0 {
		t.Errorf("without: %v\n%s", s.Err(), s)
	}
}

// An open floor loses walkers, and that is said.
func TestWalkersOpenings(t *testing.T) {
	v := []geom.Vec3{{X: -3, Z: -3}, {X: -3, Z: 3}, {X: 3, Z: 3}, {X: 3, Z: -3}}
	s := playWalkers(t, v, [][3]uint32{{0, 1, 2}, {0, 2, 3}}, 10, 60, nil)
	if s.openings < 5 || s.crossings > 0 || s.Err() == nil || !strings.Contains(s.Err().Error(), "fell out") {
		t.Errorf("%v\n%s", s.Err(), s)
	}
}

// A driver that goes nowhere tries each of eight directions within 3 s.
func TestDriver(t *testing.T) {
	w := newWalkers([]geom.Vec3{{}, {Z: 9}, {X: 9}}, [][3]uint32{{0, 1, 2}}, nil)
	for walker := range 20 {
		d := driver{rng: w.rng(walker)}
		var seen [8]bool
		for tick := range staySeconds*walkHz + 1 {
			if in := d.input(tick); tick >= tryAfter {
				a := geom.Atan2(in.Move.Z, in.Move.X) / (geom.Pi / 4)
				seen[(int(geom.Floor(a+0.5))+8)%8] = true
			}
			if d.moved(tick, soup.V{X: 0.1}) != (tick == staySeconds*walkHz) {
				t.Fatalf("walker %d: a stay at tick %d", walker, tick)
			}
		}
		if seen != [8]bool{true, true, true, true, true, true, true, true} {
			t.Errorf("walker %d tried %v", walker, seen)
		}
	}
}
