//go:build !js

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/foretick/foretick/examples/pucks"
)

func runLab(args ...string) (code int, out, said string) {
	var o, e bytes.Buffer
	code = Run(context.Background(), pucks.NoFree, pucks.Bot, append([]string{"foretick", "lab"}, args...), &o, &e)
	return code, o.String(), e.String()
}

func TestLabLinkFlags(t *testing.T) {
	parse := func(args ...string) *labLink {
		f := flag.NewFlagSet("x", flag.ContinueOnError)
		l := newLabLink(f)
		if err := f.Parse(args); err != nil {
			t.Fatal(err)
		}
		return l
	}
	trace := filepath.Join(t.TempDir(), "trace")
	if err := os.WriteFile(trace, []byte("5\n10\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := parse("-up.loss", "20%", "-loss", "0.1", "-rtt", "150", "-down.jitter", "20ms", "-up.delay", "30", "-burst", "0.01",
		"-burstlen", "3", "-dup", "0.02", "-reorder", "0.03", "-reorderby", "40", "-bandwidth", "5000", "-down.queue", "900",
		"-stall", "300", "-trace.down", trace).link()
	if err != nil {
		t.Fatal(err)
	}
	up, down := l.Up, l.Down
	if up.Loss != 0.2 || down.Loss != 0.1 || up.Delay != 30*time.Millisecond || down.Delay != 75*time.Millisecond ||
		up.Jitter != 0 || down.Jitter != 20*time.Millisecond || up.QueueLimit != 0 || down.QueueLimit != 900 ||
		up.Trace != nil || down.Trace.Len() != 2 {
		t.Errorf("up %+v, down %+v", up, down)
	}
	for _, c := range []any{up.BurstLoss == 0.01, down.BurstLen == 3, up.Duplicate == 0.02, down.Reorder == 0.03,
		up.ReorderBy == 40*time.Millisecond, down.Bandwidth == 5000, up.StallFor == 300*time.Millisecond, down.StallEvery == 10*time.Second} {
		if c != true {
			t.Errorf("up %+v, down %+v", up, down)
		}
	}
}

func TestLabRun(t *testing.T) {
	args := []string{"run", "-players", "2", "-seconds", "10", "-rtt", "100", "-loss", "10%", "-seed", "5"}
	code, table, said := runLab(args...)
	if code != 0 || said != "" || !strings.Contains(table, "2 clients, 600 ticks, seed 5") || !strings.Contains(table, "another player") {
		t.Fatalf("%d %q\n%s", code, said, table)
	}
	code, out, _ := runLab(append(args, "-json")...)
	var r struct {
		Players int
		Causes  map[string]int
		Clients []struct {
			Compared int
			RTT      float64 `json:"rtt_ms"`
		}
	}
	if err := json.Unmarshal([]byte(out), &r); code != 0 || err != nil {
		t.Fatalf("%d %v\n%s", code, err, out)
	}
	if len(r.Clients) != 2 || r.Clients[0].Compared < 300 || r.Clients[0].RTT < 90 || r.Causes["another player"] == 0 || r.Causes["unnamed"] != 0 {
		t.Errorf("%+v", r)
	}
	if _, again, _ := runLab(append(args, "-json")...); again != out {
		t.Error("the same flags and seed gave another match")
	}
	_, other, _ := runLab(append(args, "-json", "-no-prediction")...)
	if strings.Contains(other, `"own_corrections": 0`) == strings.Contains(out, `"own_corrections": 0`) {
		t.Errorf("without prediction there is still something to correct:\n%s", other)
	}
}

func TestLabSaysWhatToDo(t *testing.T) {
	for _, c := range []struct{ args, said string }{
		{"", "run, swarm, walkers or check"},
		{"walk", `no command "walk"`},
		{"run -loss 2", "want a share"},
		{"run -up.burstlen 0", "1 at least"},
		{"run -players 0", "-players is 1 to 64"},
		{"run -seconds NaN", "-seconds is up to a day"},
		{"run -fps 0", "-fps is"},
		{"run -snapshots 0.1", "-snapshots is"},
		{"run -drift -1", "-drift is"},
		{"run -fixed-lead 1000", "half a second"},
		{"run -trace.up /nowhere", "/nowhere"},
		{"run -bogus", "no such flag: -bogus"},
		{"swarm -without rain", "-without rain: there are latency"},
		{"check -ticks 0", "-ticks 1 to"},
	} {
		code, out, said := runLab(strings.Fields(c.args)...)
		if code != 2 || out != "" || !strings.Contains(said, c.said) || strings.Count(said, "\n") != 1 {
			t.Errorf("lab %s: %d, %q, %q", c.args, code, out, said)
		}
	}
}

func TestLabCheckAndSwarm(t *testing.T) {
	if code, out, said := runLab("check", "-ticks", "100"); code != 0 || !strings.Contains(out, "nothing found") {
		t.Errorf("%d %q %q", code, out, said)
	}
	if code, out, said := runLab("swarm", "-seed", "3"); code != 0 || !strings.Contains(out, "seed 3: ") {
		t.Errorf("%d %q %q", code, out, said)
	}
	if code, out, _ := runLab("help"); code != 0 || !strings.Contains(out, "lab swarm") {
		t.Errorf("%d %q", code, out)
	}
}
