// Package arch runs the tests that hold known hashes on every processor: what
// a step computes must be the same to the bit.
package arch

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// held are the tests with known hashes or golden bytes, by package.
var held = map[string][]string{
	"./examples/pucks": {"TestHash"}, // 10,000 ticks
	"./geom":           {"TestKnownHash"},
	"./physics/mover":  {"TestKnownHash"},
	"./shape":          {"TestKnownCasts", "TestKnownHash"},
	"./ecs":            {"TestHashIsFixed"},
	"./impair":         {"TestSameSeedSameResult"},
	"./wire":           {"TestGolden"},
	"./physics/scenes": {"TestSceneHashes"},
	"./snapshot":       {"TestGolden"},
}

// A target is a processor and what runs its programs here.
type target struct {
	name  string
	env   []string
	need  string // a program it cannot do without
	exec  string // runs the test program
	fuses bool   // Go fuses x*y + z there
}

var targets = []target{
	{name: "amd64v1", env: []string{"GOARCH=amd64", "GOAMD64=v1"}},
	{name: "amd64v3", env: []string{"GOARCH=amd64", "GOAMD64=v3"}, fuses: true},
	{name: "arm64", env: []string{"GOARCH=arm64"}, need: "qemu-aarch64", exec: "qemu-aarch64", fuses: true},
	{name: "wasm", env: []string{"GOOS=js", "GOARCH=wasm"}, need: "node", exec: "go_js_wasm_exec"},
}

// missing says why a target cannot run here, or nothing.
func (x *target) missing() error {
	if runtime.GOARCH != "amd64" && x.exec == "" && !strings.Contains(x.env[0], runtime.GOARCH) {
		return errors.New("this is no amd64")
	}
	if x.name == "amd64v3" && runtime.GOOS == "linux" {
		cpu, err := os.ReadFile("/proc/cpuinfo")
		if err == nil && !bytes.Contains(cpu, []byte(" fma")) {
			return errors.New("this processor has no fused multiply-add")
		}
	}
	if x.need == "" {
		return nil
	}
	_, err := exec.LookPath(x.need)
	return err
}

// run runs the held tests of packages; more are further arguments of go test.
func (x *target) run(t *testing.T, packages []string, more ...string) (out string, failed bool) {
	t.Helper()
	names := map[string]bool{}
	for _, p := range packages {
		for _, n := range held[p] {
			names[n] = true
		}
	}
	var list []string
	for n := range names {
		list = append(list, n)
	}
	args := []string{"test", "-v", "-count=1", "-run", "^(" + strings.Join(list, "|") + ")$"}
	if x.exec != "" {
		args = append(args, "-exec", x.exec)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	wasm := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm") // go_js_wasm_exec is there
	cmd := exec.Command("go", append(append(args, more...), packages...)...)
	cmd.Dir = "../.."
	cmd.Env = append([]string{"CGO_ENABLED=0"}, x.env...)
	for _, e := range os.Environ() { // wasm_exec passes its environment on, and has little room
		switch k, _, _ := strings.Cut(e, "="); {
		case k == "GOOS" || k == "GOARCH" || k == "GOAMD64":
		case k == "PATH":
			cmd.Env = append(cmd.Env, e+string(os.PathListSeparator)+wasm)
		case k == "HOME" || k == "TMPDIR" || strings.HasPrefix(k, "GO"):
			cmd.Env = append(cmd.Env, e)
		}
	}
	b, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(b), err != nil
}

func (x *target) orSkip(t *testing.T) {
	t.Helper()
	if err := x.missing(); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skipf("%s is not tested: %v", x.name, err)
	}
}

func TestHashes(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles for every processor")
	}
	var packages []string
	want := 0
	for p, names := range held {
		packages = append(packages, p)
		want += len(names)
	}
	for _, x := range targets {
		t.Run(x.name, func(t *testing.T) {
			x.orSkip(t)
			out, failed := x.run(t, packages)
			if n := strings.Count("\n"+out, "\n--- PASS: "); failed || n != want {
				t.Errorf("%d of %d passed:\n%s", n, want, out)
			}
		})
	}
}

// rounded is a product that is rounded before it is added.
var rounded = regexp.MustCompile(`\bfloat32(\((?:\([^()]*\)|[^()*])+\*[^()]+\))`)

// TestUnrounded is the negative control: with the roundings taken out of the
// sources, pucks has another hash where Go fuses, and the same elsewhere.
func TestUnrounded(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles for every processor")
	}
	overlay := unround(t, "geom/vec.go", "examples/pucks/move.go")
	hash := regexp.MustCompile(`hash of 10,000 ticks is 0x[0-9a-f]+`)
	for _, x := range targets {
		t.Run(x.name, func(t *testing.T) {
			x.orSkip(t)
			out, failed := x.run(t, []string{"./examples/pucks"}, "-overlay", overlay)
			got := hash.FindString(out)
			if failed != x.fuses || x.fuses != (got != "") {
				t.Errorf("fuses: %v, yet:\n%s", x.fuses, out)
			}
			t.Log(got)
		})
	}
}

// unround writes an overlay for go build in which files lack their roundings.
func unround(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	var overlay struct{ Replace map[string]string }
	overlay.Replace = map[string]string{}
	for i, f := range files {
		path, err := filepath.Abs(filepath.Join("../..", f))
		if err != nil {
			t.Fatal(err)
		}
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		bare := rounded.ReplaceAll(src, []byte("$1"))
		if bytes.Equal(bare, src) {
			t.Fatalf("%s has no rounding", f)
		}
		to := filepath.Join(dir, string(rune('a'+i))+".go")
		if err := os.WriteFile(to, bare, 0o666); err != nil {
			t.Fatal(err)
		}
		overlay.Replace[path] = to
	}
	b, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(name, b, 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}
