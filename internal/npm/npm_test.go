package npm

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// put puts a program npm, and nothing else but sh's own, on the PATH.
func put(t *testing.T, script string) {
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
/bin/mkdir -p node_modules/a
echo one >node_modules/a/one
echo two >node_modules/a/two
`

var some = Set{Name: "A", Prefix: "test", Manifest: []byte("{}"), Lock: []byte("{1}"), Need: []string{"node_modules/a/one", "node_modules/a/two"}}

func calls() int {
	b, _ := os.ReadFile(filepath.Join(os.Getenv("PATH"), "npm.calls"))
	return strings.Count(string(b), "\n")
}

func TestInstalledOnce(t *testing.T) {
	cache := t.TempDir()
	put(t, installs)
	var out bytes.Buffer
	for range 2 {
		dir, err := some.Install(t.Context(), &out, cache)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(dir, "node_modules", "a", "two")); err != nil || string(got) != "two\n" {
			t.Errorf("%q, %v", got, err)
		}
		if lock, err := os.ReadFile(filepath.Join(dir, "package-lock.json")); err != nil || string(lock) != "{1}" {
			t.Errorf("the lock is %q, %v", lock, err)
		}
	}
	if calls() != 1 {
		t.Errorf("npm was called %d times", calls())
	}
	if said := out.String(); said != "installing A with npm (once) ... done\n" {
		t.Errorf("progress: %q", said)
	}
	left, _ := os.ReadDir(cache)
	if len(left) != 1 || left[0].Name() != some.Key() {
		t.Errorf("the cache has %v", left)
	}
}

// Several at once leave one directory, whole, and nothing else.
func TestInstalledByManyAtOnce(t *testing.T) {
	cache := t.TempDir()
	put(t, "/bin/sleep 0.1\n"+installs)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			dir, err := some.Install(t.Context(), &bytes.Buffer{}, cache)
			if err != nil {
				t.Error(err)
			} else if err := some.complete(dir); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	left, _ := os.ReadDir(cache)
	if len(left) != 1 || left[0].Name() != some.Key() {
		t.Errorf("the cache has %v", left)
	}
}

// Another lock file is another cache: what is there of it is not used.
func TestKeyedByTheLock(t *testing.T) {
	cache := t.TempDir()
	put(t, installs)
	other := some
	other.Lock = []byte("{2}")
	dir, err := other.Install(t.Context(), &bytes.Buffer{}, cache)
	if err != nil {
		t.Fatal(err)
	}
	put(t, "")
	if _, err := some.Install(t.Context(), &bytes.Buffer{}, cache); err == nil {
		t.Error("another lock's files were taken")
	}
	if err := os.Rename(dir, filepath.Join(cache, some.Key())); err != nil {
		t.Fatal(err)
	}
	if _, err := some.Install(t.Context(), &bytes.Buffer{}, cache); err != nil {
		t.Errorf("this lock's files were not taken: %v", err)
	}
}

// What somebody spoiled is installed again.
func TestSpoiled(t *testing.T) {
	cache := t.TempDir()
	put(t, installs)
	dir, err := some.Install(t.Context(), &bytes.Buffer{}, cache)
	if err != nil {
		t.Fatal(err)
	}
	for _, spoil := range []func(string) error{os.Remove, func(name string) error { return os.Truncate(name, 0) }} {
		if err := spoil(filepath.Join(dir, "node_modules", "a", "one")); err != nil {
			t.Fatal(err)
		}
		if _, err := some.Install(t.Context(), &bytes.Buffer{}, cache); err != nil || some.complete(dir) != nil {
			t.Errorf("%v, %v", err, some.complete(dir))
		}
	}
}

func TestSaysWhatToDo(t *testing.T) {
	for _, c := range []struct{ name, npm, want string }{
		{"no npm", "", "install Node.js"},
		{"no network", "echo 'npm error code ENOTFOUND'; echo 'npm error network request failed'; exit 1", "with a network to install from, start again: network request failed"},
		{"silent", "exit 3", "exit status 3"},
		{"nothing installed", "exit 0", "start again"},
		{"empty files", strings.ReplaceAll(installs, "echo", ": echo"), "start again"},
		{"slow", "exec /bin/sleep 20", "with a better network, start again"},
	} {
		t.Run(c.name, func(t *testing.T) {
			put(t, c.npm)
			if c.name == "slow" {
				defer func(was time.Duration) { Time = was }(Time)
				Time = 200 * time.Millisecond
			}
			cache := t.TempDir()
			if _, err := some.Install(t.Context(), &bytes.Buffer{}, cache); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
			Time = 2 * time.Minute
			put(t, installs) // the next start does not suffer from it
			if _, err := some.Install(t.Context(), &bytes.Buffer{}, cache); err != nil {
				t.Errorf("the next time: %v", err)
			}
		})
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	put(t, installs)
	if _, err := some.Install(ctx, &bytes.Buffer{}, t.TempDir()); err == nil {
		t.Error("an interrupted installation went well")
	}
}
