package rapier

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/foretick/foretick/internal/npm"
	"github.com/foretick/foretick/physics"
)

// TestSameAsInV8 steps a heap here and, with Rapier's own script, in node: after
// 300 steps Rapier writes the same bytes. The control is one step more.
func TestSameAsInV8(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	module(t)
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("no node")
		}
		t.Skip("no node")
	}
	said, err := exec.Command(node, "testdata/heap.mjs", filepath.Dir(filepath.Join(npm.Cache(), set.Key(), wasmFile))).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	w := world(t, physics.Config{Gravity: physics.Earth})
	heap(t, w, 40)
	run(w, 300)
	snapshot := func() string {
		b := w.vm.serialize(&w.sim)
		return fmt.Sprintf("%d %x", len(b), sha256.Sum256(b))
	}
	want := strings.TrimSpace(string(said))
	if got := snapshot(); got != want {
		t.Errorf("here %s, in V8 %s", got, want)
	}
	w.Step()
	if snapshot() == want {
		t.Error("a step changes nothing, so this shows nothing")
	}
}
