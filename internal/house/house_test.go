// Package house holds the module to the floors, the laws and the sizes of its
// design. floors_test.go has the table; a new package needs a row there.
package house

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func openHouse(t *testing.T) *tree {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if mod, err := os.ReadFile(filepath.Join(root, "go.mod")); err != nil || !strings.HasPrefix(string(mod), "module "+module+"\n") {
		t.Fatalf("%s is not the module %s: %v", root, module, err)
	}
	h, err := open(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, rel := range []string{"tick", "geom", "internal/house"} {
		if h.pkgs[rel] == nil {
			t.Fatalf("%s was not found, so others may not have been", rel)
		}
	}
	return h
}

func fail(t *testing.T, h *tree) {
	t.Helper()
	for _, f := range h.findings() {
		t.Error(f)
	}
}

func TestFloors(t *testing.T) {
	h := openHouse(t)
	if err := checkFloors(h); err != nil {
		t.Fatal(err)
	}
	fail(t, h)
}

func TestPurity(t *testing.T) {
	h := openHouse(t)
	if err := checkPurity(h); err != nil {
		t.Fatal(err)
	}
	fail(t, h)
}

func TestSizes(t *testing.T) {
	h := openHouse(t)
	checkSizes(h)
	fail(t, h)
}

var (
	wanted = regexp.MustCompile("// want (.*)$")
	quoted = regexp.MustCompile("`[^`]+`")
)

// TestPlanted is the negative control of the rules about imports and purity.
// testdata/bad is a module in small in which every violation has a comment
//
//	// want `part of what is said` `part of what else is said`
//
// All of these must be reported, and nothing else.
func TestPlanted(t *testing.T) {
	h, err := open("testdata/bad")
	if err != nil {
		t.Fatal(err)
	}
	if err := checkFloors(h); err != nil {
		t.Fatal(err)
	}
	if err := checkPurity(h); err != nil {
		t.Fatal(err)
	}
	checkSizes(h)

	type at struct {
		file string
		line int
	}
	want := map[at][]string{}
	planted := 0
	for _, p := range h.pkgs {
		for _, f := range append(p.files, p.tests...) {
			src, err := os.ReadFile(filepath.Join(h.root, f.rel))
			if err != nil {
				t.Fatal(err)
			}
			for i, line := range strings.Split(string(src), "\n") {
				if m := wanted.FindStringSubmatch(line); m != nil {
					for _, q := range quoted.FindAllString(m[1], -1) {
						k := at{f.rel, i + 1}
						want[k] = append(want[k], strings.Trim(q, "`"))
						planted++
					}
				}
			}
		}
	}
	if planted < 60 {
		t.Fatalf("only %d planted violations", planted)
	}
	for _, f := range h.findings() {
		k := at{f.file, f.line}
		hit := false
		for i, w := range want[k] {
			if strings.Contains(f.text, w) {
				want[k] = append(want[k][:i:i], want[k][i+1:]...)
				hit = true
				break
			}
		}
		if !hit {
			t.Errorf("reported, not planted: %v", f)
		}
	}
	for k, ws := range want {
		for _, w := range ws {
			t.Errorf("planted, not reported: %s:%d: %s", k.file, k.line, w)
		}
	}
}

// TestSizesPlanted is the negative control of the sizes, at their edges.
func TestSizesPlanted(t *testing.T) {
	root := t.TempDir()
	write := func(name, src string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(root, filepath.Dir(name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(src), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	fill := func(n int) string { return strings.Repeat("// line\n", n) }
	write("tick/fits.go", "package tick\n"+fill(maxFileLines-1))
	write("tick/long.go", "package tick\n"+fill(maxFileLines))
	write("tick/long_test.go", "package tick\n"+fill(maxFileLines))
	write("tick/func.go", "package tick\n\nfunc fits() {\n"+fill(maxFuncLines-2)+"}\n\nfunc long() {\n"+fill(maxFuncLines-1)+"}\n")
	write("tick/lit.go", "package tick\n\nvar long = func() {\n"+fill(maxFuncLines-1)+"}\n")
	write("tick/func_test.go", "package tick\n\nfunc long() {\n"+fill(maxFuncLines-1)+"}\n")
	h, err := open(root)
	if err != nil {
		t.Fatal(err)
	}
	checkSizes(h)
	var got []string
	for _, f := range h.findings() {
		got = append(got, f.file+" "+strconv.Itoa(f.line)+" "+f.text)
	}
	want := `tick/func.go 74 71 lines in a function, at most 70
tick/lit.go 3 71 lines in a function, at most 70
tick/long.go 1 501 lines in a file, at most 500
tick/long_test.go 1 501 lines in a file, at most 500`
	if g := strings.Join(got, "\n"); g != want {
		t.Errorf("reported:\n%s\nwant:\n%s", g, want)
	}
}

func TestPlace(t *testing.T) {
	for _, c := range []struct {
		rel     string
		program bool
		want    row
	}{
		{"tick", false, row{"tick", 0, pure}},
		{"bits/coder", false, row{"bits/coder", 2, pure}},
		{"physics/rapier", false, row{"physics/rapier", 2, shell}},
		{"examples/pucks", false, row{"examples/pucks", 6, pure}},
		{"examples/pucks/bots", false, row{"examples/pucks/bots", 7, pure}},
		{"examples/pucks/cmd", true, row{"examples/pucks/cmd", 7, shell}},
		{"examples/pucks", true, row{"examples/pucks", 6, pure}}, // a game is no program
		{"cmd/foretick", true, row{"cmd/foretick", 7, shell}},
		{"cmd/foretick/web", true, row{"cmd/foretick/web", 8, shell}},
	} {
		if got, ok := place(c.rel, c.program); !ok || got != c.want {
			t.Errorf("%s: %v, %v; want %v", c.rel, got, ok, c.want)
		}
	}
	for _, rel := range []string{"", "mystery", "internal", "internal/mystery", "cmd", "examples", "ticks"} {
		if got, ok := place(rel, false); ok {
			t.Errorf("%q has a floor: %v", rel, got)
		}
	}
}
