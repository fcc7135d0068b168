package fused

import (
	"bufio"
	"go/build"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// steps are the packages whose floating point a step runs. One that is not
// built yet is passed over; a game of its own tests itself or joins the list.
var steps = []string{
	"geom", "shape", "ecs", "sim", "physics", "body", "predict", "view", "rewind",
	"examples", "games",
}

func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// packages returns the patterns of all packages in dir/sub and below that are
// no programs: a program imports the shells, which take a minute to compile.
func packages(t *testing.T, dir, sub string) (patterns []string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(dir, sub), func(path string, d os.DirEntry, err error) error {
		if os.IsNotExist(err) {
			return nil
		}
		if err != nil || !d.IsDir() {
			return err
		}
		if d.Name() == "testdata" || d.Name() == "enginetest" || d.Name() == "rapier" { // no step runs them
			return filepath.SkipDir
		}
		if p, err := build.ImportDir(path, 0); err == nil && p.Name != "main" && len(p.GoFiles) > 0 {
			rel, err := filepath.Rel(dir, path)
			if err != nil {
				return err
			}
			patterns = append(patterns, "./"+filepath.ToSlash(rel))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return patterns
}

func TestStepsDoNotFuse(t *testing.T) {
	dir := root(t)
	var patterns []string
	for _, s := range steps {
		patterns = append(patterns, packages(t, dir, s)...)
	}
	if !slices.Contains(patterns, "./geom") {
		t.Fatal("geom was not found")
	}
	t.Log("looked at", patterns)
	found, err := Look(dir, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		t.Errorf("%v: write float32(x*y) + z", f)
	}
}

// TestPlanted is the negative control: each marked line, and no other, is
// found on each target.
func TestPlanted(t *testing.T) {
	dir := root(t)
	file := filepath.Join(dir, "internal/fused/testdata/fuses/fuses.go")
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all, amd64 []int // marked lines
	s := bufio.NewScanner(f)
	for n := 1; s.Scan(); n++ {
		if strings.HasSuffix(s.Text(), "// fuses") {
			all, amd64 = append(all, n), append(amd64, n)
		} else if strings.HasSuffix(s.Text(), "// fuses, not on amd64") {
			all = append(all, n)
		}
	}
	if len(all) != 6 || len(amd64) != 4 {
		t.Fatalf("marked lines %v and %v in %s", all, amd64, file)
	}
	found, err := Look(dir, "./internal/fused/testdata/fuses")
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range Targets {
		want := all
		if target.Name == "amd64 v3" {
			want = amd64
		}
		var got []int
		inlined := false
		for _, f := range found {
			if f.Target != target.Name {
				continue
			}
			if f.File != file {
				t.Errorf("%v: file is not %s", f, file)
			}
			got = append(got, f.Line)
			inlined = inlined || f.Line == want[0] && strings.HasSuffix(f.Func, "fuses.Multiply")
		}
		if got = slices.Compact(got); !slices.Equal(got, want) {
			t.Errorf("%s: found on lines %v, want %v", target.Name, got, want)
		}
		if !inlined {
			t.Errorf("%s: the inlined one is not attributed to both places", target.Name)
		}
	}
}

func TestErrors(t *testing.T) {
	dir := root(t)
	for _, c := range []struct {
		patterns []string
		says     string
	}{
		{nil, "no package"},
		{[]string{"./internal/fused/testdata/nosuch"}, "nosuch"},
		{[]string{"./internal/fused/testdata/broken"}, "not a number"},
		{[]string{"./internal/fused/testdata/empty"}, "nothing was looked at"},
	} {
		_, err := Look(dir, c.patterns...)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v: error %v, want one that says %q", c.patterns, err, c.says)
		}
	}
}
