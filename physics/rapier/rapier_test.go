package rapier

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/internal/npm"
	"github.com/foretick/foretick/physics"
	"github.com/foretick/foretick/physics/enginetest"
	"github.com/foretick/foretick/shape"
)

var loaded = sync.OnceValues(func() (*Module, error) { return Load(context.Background(), os.Stderr) })

// module is Rapier; a test that needs it is skipped where npm is missing.
func module(t testing.TB) *Module {
	t.Helper()
	m, err := loaded()
	if err == nil {
		return m
	}
	if _, missing := exec.LookPath("npm"); missing == nil || os.Getenv("CI") != "" {
		t.Fatal(err)
	}
	t.Skip(err)
	return nil
}

// world is an empty World that must have no error in the end.
func world(t testing.TB, cfg physics.Config) *World {
	t.Helper()
	w, err := module(t).New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Err(); err != nil {
			t.Error(err)
		}
		w.Close()
	})
	return w
}

func TestEngine(t *testing.T) {
	m := module(t)
	enginetest.Test(t, func(cfg physics.Config) (physics.Engine, error) {
		w, err := m.New(cfg)
		if err == nil {
			t.Cleanup(func() {
				if err := w.Err(); err != nil {
					t.Error(err)
				}
				w.Close()
			})
		}
		return w, err
	})
}

// heap is boxes and balls over a ground, above one another.
func heap(t testing.TB, w *World, n int) {
	t.Helper()
	add := func(id physics.ID, k physics.Kind, s shape.Shape, p geom.Vec3) {
		if err := w.Add(id, physics.NewDef(k, s), physics.At(p, geom.Identity())); err != nil {
			t.Fatal(err)
		}
	}
	add(1, physics.Static, shape.Must(shape.NewBox(geom.V3(50, 1, 50))), geom.V3(0, -1, 0))
	for i := range n {
		s := shape.Must(shape.NewBox(geom.V3(.5, .4, .3)))
		if i%3 == 0 {
			s = shape.Must(shape.NewSphere(.5))
		}
		add(physics.ID(i+2), physics.Dynamic, s, geom.V3(float32(i%4)*.9, 1+float32(i/4), float32(i%3)*.7))
	}
}

func states(w *World) (s []physics.State) {
	for i := range w.bodies {
		s = append(s, w.bodies[i].st)
	}
	return s
}

func run(w *World, n int) {
	for range n {
		w.Step()
	}
}

func equal(a, b []physics.State) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return len(a) == len(b)
}

// What was saved in the middle of a tick goes on with the same bits, here and in
// another World.
func TestSaveAndRestore(t *testing.T) {
	cfg := physics.Config{Gravity: physics.Earth, Past: 8}
	w := world(t, cfg)
	heap(t, w, 40)
	run(w, 60)
	w.Remove(7) // all this Rapier does not know yet
	w.Move(9, geom.V3(0, 20, 0), geom.Identity())
	w.SetVelocity(12, geom.V3(0, 9, 0), geom.V3(1, 2, 3))
	d := physics.NewDef(physics.Dynamic, shape.Must(shape.NewCapsule(.4, .5)))
	d.Layer = 20
	if err := w.Add(100, d, physics.At(geom.V3(1, 15, 1), geom.Identity())); err != nil {
		t.Fatal(err)
	}
	saved, err := w.Save()
	if err != nil {
		t.Fatal(err)
	}
	before := states(w)
	run(w, 90)
	want := states(w)
	ray := func(w *World) physics.Hit {
		h, _ := w.RayCast(geom.V3(1, 40, 1), geom.V3(0, -60, 0), nil)
		return h
	}
	hit := ray(w)

	other := world(t, cfg)
	heap(t, other, 3)
	run(other, 10)
	for name, x := range map[string]*World{"the same World": w, "another": other} {
		for range 3 {
			if err := x.Restore(saved); err != nil {
				t.Fatal(err)
			}
			if !equal(before, states(x)) {
				t.Errorf("%s is not what was saved", name)
			}
			run(x, 90)
			if !equal(want, states(x)) {
				t.Errorf("%s goes on with other bits", name)
			}
			if got := ray(x); got != hit {
				t.Errorf("%s: a ray meets %+v, want %+v", name, got, hit)
			}
		}
	}
	// The control: a World that is rebuilt from states does not.
	if err := w.Restore(saved); err != nil {
		t.Fatal(err)
	}
	rebuilt := world(t, cfg)
	for i := range w.bodies {
		b := &w.bodies[i]
		if err := rebuilt.Add(b.id, b.def, b.st); err != nil {
			t.Fatal(err)
		}
	}
	run(rebuilt, 90)
	if equal(want, states(rebuilt)) {
		t.Error("Rapier has no memory; then this test shows nothing")
	}
}

func TestRestoreRefuses(t *testing.T) {
	w := world(t, physics.Config{Gravity: physics.Earth})
	heap(t, w, 10)
	run(w, 20)
	saved, err := w.Save()
	if err != nil {
		t.Fatal(err)
	}
	was := states(w)
	change := func(at int, x byte) []byte {
		b := bytes.Clone(saved)
		b[at] ^= x
		return b
	}
	for name, b := range map[string][]byte{
		"nothing": nil, "the head alone": saved[:20], "half": saved[:len(saved)/2], "all but a byte": saved[:len(saved)-1],
		"a byte more": append(bytes.Clone(saved), 0), "other magic": change(0, 1), "more bodies": change(8, 1), "more to lose": change(12, 1),
		"another size": change(16, 4), "a huge size": change(19, 0x80),
	} {
		if err := w.Restore(b); err == nil {
			t.Errorf("%s was restored", name)
		}
		if !equal(was, states(w)) {
			t.Errorf("%s changed the World", name)
		}
	}
	run(w, 20)
	if err := w.Err(); err != nil {
		t.Error(err)
	}
}

// New refuses what physics.Config must not be.
func TestConfig(t *testing.T) {
	m := module(t)
	nan := geom.Sqrt(-1)
	for _, c := range []physics.Config{{Gravity: geom.V3(0, nan, 0)}, {Dt: -1}, {Dt: nan}, {Past: -1}, {Gravity: geom.V3(1e30, 0, 0)}} {
		if _, err := m.New(c); err != physics.ErrValue {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// The lock file pins Rapier to the bit, and to no place to get it from.
func TestLock(t *testing.T) {
	var l struct {
		Packages map[string]struct{ Version, Integrity, Resolved string }
	}
	if err := json.Unmarshal(lock, &l); err != nil {
		t.Fatal(err)
	}
	r := l.Packages["node_modules/@dimforge/rapier3d"]
	if r.Version != "0.21.0" || !strings.HasPrefix(r.Integrity, "sha512-") || len(l.Packages) != 2 {
		t.Errorf("%+v", l.Packages)
	}
	for name, p := range l.Packages {
		if p.Resolved != "" {
			t.Errorf("%s comes from %s", name, p.Resolved)
		}
	}
}

// Without npm the error says what to do; a file that is not Rapier is none.
func TestLoadSaysWhatToDo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := load(t.Context(), &bytes.Buffer{}, t.TempDir()); err == nil || !strings.Contains(err.Error(), "install Node.js") {
		t.Errorf("without npm: %v", err)
	}
	dir := t.TempDir()
	path := dir + "/" + set.Key() + "/" + wasmFile
	if err := os.MkdirAll(path[:strings.LastIndex(path, "/")], 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("not it"), 0o644); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := load(t.Context(), &out, dir); err == nil {
		t.Error("a file that is not Rapier was loaded")
	}
	if out.String() != "compiling Rapier (once) ... \n" {
		t.Errorf("progress: %q", out.String())
	}
	if !strings.HasPrefix(set.Key(), "rapier-") || npm.Cache() == "" {
		t.Errorf("cache: %q, %q", npm.Cache(), set.Key())
	}
}
