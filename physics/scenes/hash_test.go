package scenes_test

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/foretick/foretick/physics"
	"github.com/foretick/foretick/physics/scenes"
)

// chain folds a step's state and events into a hash.
func chain(h uint64, w *physics.World) uint64 {
	h = (h ^ w.Hash()) * 1099511628211
	for _, e := range w.Events() {
		for _, x := range [...]uint64{uint64(e.Kind), uint64(e.A), uint64(e.B)} {
			h = (h ^ x) * 1099511628211
		}
	}
	return h
}

// write keeps today's hashes.
var write = flag.Bool("write", false, "write the hashes of TestSceneHashes into known_test.go")

// knownHash is what a scene came to: a hash of its end, and one of the states
// and events of all its steps.
type knownHash struct {
	name         string
	steps        int
	scene, state uint64
}

func TestSceneHashes(t *testing.T) {
	table := knownHead
	for _, k := range known {
		r := begin(scenes.Named(k.name))
		state := uint64(14695981039346656037)
		for range k.steps {
			r.next()
			state = chain(state, r.w)
		}
		scene := scenes.Hash(r.w)
		if (scene != k.scene || state != k.state) && !*write {
			t.Errorf("%s after %d steps: scene %#x, want %#x; states and events %#x, want %#x",
				k.name, k.steps, scene, k.scene, state, k.state)
		}
		table += fmt.Sprintf("\t{%q, %d, %#x, %#x},\n", k.name, k.steps, scene, state)
	}
	if *write {
		if err := os.WriteFile("known_test.go", []byte(table+"}\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

const knownHead = `package scenes_test

// known are hashes of scenes, the same on every processor. What changes a bit
// of a step changes them, and every recorded match, so change them knowingly:
//
//	go test ./physics/scenes -run TestSceneHashes -write
var known = []knownHash{
`

// TestScenes holds what the scenes are made of: other engines' figures are of
// the same.
func TestScenes(t *testing.T) {
	count := map[string]int{
		"S1": 211, "S1sleep": 211, "S2": 902, "S2x": 902, "S2g": 902, "S2sleep": 902, "S2gsleep": 902, "S3": 205, "S4": 2001,
	}
	for name, n := range count {
		if got := len(scenes.Named(name).Bodies); got != n {
			t.Errorf("%s has %d bodies, want %d", name, got, n)
		}
	}
	if v, tr := scenes.Terrain(); len(v) != 101*101 || len(tr) != 20_000 {
		t.Errorf("the terrain has %d vertices and %d triangles", len(v), len(tr))
	}
	if a, b := scenes.S4Casts(); len(a) != 100_000 || len(b) != 20_000 {
		t.Errorf("%d rays and %d sweeps", len(a), len(b))
	}
	if scenes.Named("nothing") != nil {
		t.Error("a scene of no name")
	}
	used := map[physics.ID]bool{}
	again := 0
	for _, b := range scenes.Mixed().Bodies {
		if used[b.ID] {
			t.Errorf("id %#x twice", b.ID)
		}
		used[b.ID] = true
		if b.ID&0xffff != 0 {
			again++
		}
	}
	if again < 30 {
		t.Errorf("%d indices are used again", again)
	}
}

// TestMixed holds that the scene still shows what it is there for.
func TestMixed(t *testing.T) {
	r := begin(scenes.Mixed())
	kinds := map[physics.EventKind]int{}
	var slept, woken int
	before := map[physics.ID]bool{}
	for r.step < r.s.Steps {
		r.next()
		for _, e := range r.w.Events() {
			kinds[e.Kind]++
		}
		for i, id := range r.w.Bodies() {
			sleeps := r.w.States()[i].Still == physics.Asleep
			if sleeps && !before[id] {
				slept++
			}
			if before[id] && !sleeps {
				woken++
			}
			before[id] = sleeps
		}
	}
	t.Logf("events by kind: %v; %d times a body fell asleep, %d times one was woken", kinds, slept, woken)
	for k := physics.TouchBegan; k <= physics.SensorLeft; k++ {
		if kinds[k] < 5 {
			t.Errorf("%d events of kind %d", kinds[k], k)
		}
	}
	if slept < 20 || woken < 10 {
		t.Errorf("%d fell asleep, %d woke", slept, woken)
	}
	if items := r.s.Items(r.w, nil); len(items) != len(r.w.Bodies())+len(r.w.Statics()) {
		t.Errorf("%d items to draw, %d bodies", len(items), len(r.w.Bodies())+len(r.w.Statics()))
	}
}

func TestSkip(t *testing.T) {
	a := scenes.Rand(777)
	for n := range 300 {
		b := scenes.Rand(777)
		b.Skip(n)
		if a != b {
			t.Fatalf("after %d draws %d, want %d", n, b, a)
		}
		a.Next()
	}
}

// Every step of S2x and S3 draws on where the step before ended.
func TestActsContinue(t *testing.T) {
	s := scenes.S3()
	r := scenes.Rand(777)
	for step := 0; step < s.Steps; step++ {
		acts := s.Acts(step, nil)
		want := 100
		if step%60 == 0 {
			r.Skip(200)
		}
		if step%120 == 0 {
			first := float32(float64(8*r.Next()) - 4)
			if got := acts[100].V.X; got != first {
				t.Fatalf("step %d: the first ball gets %v, want %v", step, got, first)
			}
			r.Skip(199)
			want = 200
		}
		if len(acts) != want {
			t.Fatalf("step %d: %d acts, want %d", step, len(acts), want)
		}
	}
}
