package scenes_test

import (
	"encoding/binary"
	"testing"

	"github.com/foretick/foretick/physics"
	"github.com/foretick/foretick/physics/scenes"
)

// benchmark times a scene's steps, from its start again and again, without what
// is done to it.
func benchmark(b *testing.B, name string) {
	s := scenes.Named(name)
	r := begin(s)
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		if r.step == s.Steps {
			r = begin(s)
		}
		r.d.Drive(s, r.w, r.step)
		r.step++
		b.StartTimer()
		r.w.Step()
	}
}

// With -benchtime=600x each runs once as the scenes' page has it.
func BenchmarkS1(b *testing.B)       { benchmark(b, "S1") }
func BenchmarkS2(b *testing.B)       { benchmark(b, "S2") }
func BenchmarkS2x(b *testing.B)      { benchmark(b, "S2x") }
func BenchmarkS2g(b *testing.B)      { benchmark(b, "S2g") }
func BenchmarkS3(b *testing.B)       { benchmark(b, "S3") }
func BenchmarkS2sleep(b *testing.B)  { benchmark(b, "S2sleep") }
func BenchmarkS2gsleep(b *testing.B) { benchmark(b, "S2gsleep") }
func BenchmarkMixed(b *testing.B)    { benchmark(b, "mixed") }

func settled(name string, steps int) *run {
	r := begin(scenes.Named(name))
	for range steps {
		r.next()
	}
	return r
}

// BenchmarkSaveRestore is a save and a restore of S2, with what the next step
// must rebuild for it (see BenchmarkRewind).
func BenchmarkSaveRestore(b *testing.B) {
	r := settled("S2", 30)
	var kept physics.Saved
	for b.Loop() {
		r.w.Save(&kept)
		r.w.Restore(&kept)
	}
}

// BenchmarkRewind is a restore and ten steps: awake, and asleep.
func BenchmarkRewind(b *testing.B) {
	for _, c := range []struct {
		name  string
		steps int
	}{{"S2", 300}, {"S2sleep", 600}} {
		b.Run(c.name, func(b *testing.B) {
			r := settled(c.name, c.steps)
			var kept physics.Saved
			r.w.Save(&kept)
			for b.Loop() {
				r.w.Restore(&kept)
				for range scenes.S5More {
					r.w.Step()
				}
			}
		})
	}
}

// TestStateSize holds the state of S2 to 80 KB.
func TestStateSize(t *testing.T) {
	w := scenes.S2().New()
	bytes := len(w.States()) * binary.Size(physics.State{})
	t.Logf("the dynamic state of S2 is %d bytes", bytes)
	if len(w.States()) != 901 || bytes > 80_000 {
		t.Errorf("%d bodies, %d bytes", len(w.States()), bytes)
	}
}

// TestStepAllocates nothing, nor do saving and restoring, after warm-up.
func TestStepAllocatesNothing(t *testing.T) {
	for _, name := range []string{"S1", "S2", "S2x", "S2g", "S3", "S2sleep", "S2gsleep", "mixed"} {
		steps := 40
		if name == "mixed" {
			steps = 300 // here bodies no longer pile up as never before
		}
		r := settled(name, steps)
		var kept physics.Saved
		r.w.Save(&kept)
		for range 10 {
			r.w.Step()
		}
		if n := testing.AllocsPerRun(10, func() { r.w.Step() }); n != 0 {
			t.Errorf("%s: %v allocations a step", name, n)
		}
		if n := testing.AllocsPerRun(10, func() { r.w.Save(&kept); r.w.Restore(&kept) }); n != 0 {
			t.Errorf("%s: %v allocations to save and restore", name, n)
		}
	}
}
