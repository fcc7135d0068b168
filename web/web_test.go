package web

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// npm puts a program of that name, and nothing else but sh's own, on the PATH.
func npm(t *testing.T, script string) {
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
	npm(t, installs)
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
	left, _ := os.ReadDir(cache)
	if len(left) != 1 || left[0].Name() != "web-"+lockHash() {
		t.Errorf("the cache has %v", left)
	}
}

// Another lock file is another cache: what is there of it is not used.
func TestCacheIsKeyedByTheLock(t *testing.T) {
	cache := t.TempDir()
	old := filepath.Join(cache, "web-000000000000", "node_modules", "three", "build")
	if err := os.MkdirAll(old, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range threeFiles {
		os.WriteFile(filepath.Join(old, name), []byte("old"), 0o644)
	}
	npm(t, "")
	if got, err := threeIn(t.Context(), &bytes.Buffer{}, cache); err == nil {
		t.Errorf("another lock's files were taken: %q", got)
	}
	if err := os.Rename(filepath.Join(cache, "web-000000000000"), filepath.Join(cache, "web-"+lockHash())); err != nil {
		t.Fatal(err)
	}
	if got, err := threeIn(t.Context(), &bytes.Buffer{}, cache); err != nil || string(got["three.core.js"]) != "old" {
		t.Errorf("this lock's files were not taken: %q, %v", got, err)
	}
}

func TestThreeSaysWhatToDo(t *testing.T) {
	for _, c := range []struct{ name, npm, want string }{
		{"no npm", "", "install Node.js"},
		{"no network", "echo 'npm error code ENOTFOUND'; echo 'npm error network request failed'; exit 1", "with a network to install from, start again: network request failed"},
		{"silent", "exit 3", "exit status 3"},
		{"nothing installed", "exit 0", "start again"},
		{"empty files", strings.ReplaceAll(installs, "echo", ": echo"), "start again"},
		{"slow", "exec /bin/sleep 20", "with a better network, start again"},
	} {
		t.Run(c.name, func(t *testing.T) {
			npm(t, c.npm)
			if c.name == "slow" {
				defer func(was time.Duration) { npmTime = was }(npmTime)
				npmTime = 200 * time.Millisecond
			}
			cache := t.TempDir()
			if _, err := threeIn(t.Context(), &bytes.Buffer{}, cache); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
			npmTime = 2 * time.Minute
			npm(t, installs) // the next start does not suffer from it
			if _, err := threeIn(t.Context(), &bytes.Buffer{}, cache); err != nil {
				t.Errorf("the next time: %v", err)
			}
		})
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	npm(t, installs)
	if _, err := threeIn(ctx, &bytes.Buffer{}, t.TempDir()); err == nil {
		t.Error("an interrupted installation went well")
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
