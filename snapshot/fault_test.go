//go:build fault

package snapshot

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/foretick/foretick/internal/fault"
)

// TestFaults plants each fault of this package; the model must find it. The
// model fails the test it runs in, so it runs in a process of its own.
func TestFaults(t *testing.T) {
	if name := os.Getenv("SNAPSHOT_FAULT"); name != "" {
		fault.Set(name)
		defer fault.Set("")
		TestModel(t)
		return
	}
	for _, c := range []struct{ name, says string }{
		{"none", ""},
		{"inv8", ErrBaseline.Error()},
		{"inv9", "kind 0"},
		{"inv10", "kind 1"},
	} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestFaults$", "-test.short")
		cmd.Env = append(os.Environ(), "SNAPSHOT_FAULT="+c.name)
		out, err := cmd.CombinedOutput()
		if (err != nil) != (c.says != "") || !strings.Contains(string(out), c.says) {
			t.Errorf("%s: %v\n%s", c.name, err, out)
		}
	}
}
