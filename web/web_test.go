package web

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// putNPM puts a program npm, and nothing else but sh's own, on the PATH.
func putNPM(t *testing.T, script string) {
	t.Helper()
	dir := t.TempDir()
	if script != "" {
		if err := os.WriteFile(filepath.Join(dir, "npm"), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
}

// installs is a npm that does what npm does, with files of its own, and says
// how often it was called.
const installs = `echo "$*" >>"$0.calls"
/bin/mkdir -p node_modules/three/build
echo module >node_modules/three/build/three.module.js
echo core >node_modules/three/build/three.core.js
`

func TestThreeIsInstalledOnce(t *testing.T) {
	cache := t.TempDir()
	putNPM(t, installs)
	var out bytes.Buffer
	for range 2 {
		got, err := threeIn(t.Context(), &out, cache)
		if err != nil {
			t.Fatal(err)
		}
		if string(got["three.module.js"]) != "module\n" || string(got["three.core.js"]) != "core\n" || len(got) != 2 {
			t.Errorf("%q", got)
		}
	}
	calls, _ := os.ReadFile(filepath.Join(os.Getenv("PATH"), "npm.calls"))
	if n := strings.Count(string(calls), "\n"); n != 1 || !strings.HasPrefix(string(calls), "ci ") {
		t.Errorf("npm was called %d times: %q", n, calls)
	}
	if said := out.String(); strings.Count(said, "installing") != 1 || !strings.HasSuffix(said, "done\n") {
		t.Errorf("progress: %q", said)
	}
	putNPM(t, "")
	if _, err := threeIn(t.Context(), &out, t.TempDir()); err == nil || !strings.Contains(err.Error(), "install Node.js") {
		t.Errorf("without npm: %v", err)
	}
	left, _ := os.ReadDir(cache)
	if len(left) != 1 || left[0].Name() != three().Key() {
		t.Errorf("the cache has %v", left)
	}
}

// The lock file pins three to the bit, and to no place to get it from.
func TestLock(t *testing.T) {
	b, _ := files.ReadFile("package-lock.json")
	var lock struct {
		Packages map[string]struct{ Version, Integrity, Resolved string }
	}
	if err := json.Unmarshal(b, &lock); err != nil {
		t.Fatal(err)
	}
	three := lock.Packages["node_modules/three"]
	if three.Version != "0.187.0" || !strings.HasPrefix(three.Integrity, "sha512-") || len(lock.Packages) != 2 {
		t.Errorf("%+v", lock.Packages)
	}
	for name, p := range lock.Packages {
		if p.Resolved != "" {
			t.Errorf("%s comes from %s", name, p.Resolved)
		}
	}
}

// All that the page's files name is there.
func TestFilesAreThere(t *testing.T) {
	page := string(Index(Look{Name: "<b>", Bots: 3, NoThree: `"no" npm`}))
	if strings.Contains(page, "<b>") || !strings.Contains(page, `data-bots="3"`) || !strings.Contains(page, "&#34;no&#34; npm") {
		t.Errorf("what the page was told: %s", page)
	}
	names := []string{page}
	all, _ := files.ReadDir(".")
	for _, f := range all {
		if b, ok := File(f.Name()); ok {
			names = append(names, string(b))
		}
	}
	local := regexp.MustCompile(`(?:from|import\(|src=|href=) ?"(?:\./)?([a-z0-9_.]+\.(?:js|css))"`)
	n := 0
	for _, text := range names {
		for _, m := range local.FindAllStringSubmatch(text, -1) {
			n++
			if _, ok := File(m[1]); !ok && m[1] != "wasm_exec.js" {
				t.Errorf("%s is named and not there", m[1])
			}
		}
	}
	if n < 10 {
		t.Errorf("only %d names found", n)
	}
	for _, name := range []string{"index.html", "package-lock.json", "package.json", "web.go", "../web.go", ""} {
		if _, ok := File(name); ok {
			t.Errorf("%q is given away", name)
		}
	}
}

// The gallery's page has the game's name in it, harmless, and no three.js where
// there is none.
func TestGalleryPage(t *testing.T) {
	page := string(Gallery(Look{Name: "<b>pucks", NoThree: "npm is \"missing\""}))
	for part, want := range map[string]bool{"back to &lt;b&gt;pucks": true, "<b>pucks": false, "modulepreload": false, `data-no-three="npm is &#34;missing&#34;"`: true} {
		if strings.Contains(page, part) != want {
			t.Errorf("%q is there: %v", part, !want)
		}
	}
	if !strings.Contains(string(Gallery(Look{Name: "pucks"})), "modulepreload") {
		t.Error("three.js is not loaded ahead")
	}
}
