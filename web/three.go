package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// threeFiles are what the page loads of three, below /three/.
var threeFiles = []string{"three.module.js", "three.core.js"}

// Three returns three's files by name: those in the program if it was built
// with the tag embedpage, else from a cache, which npm fills the first time, as
// the lock file says. The error says what to do; the page works without.
func Three(ctx context.Context, out io.Writer) (map[string][]byte, error) {
	if len(embedded) > 0 {
		return embedded, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	return threeIn(ctx, out, filepath.Join(cache, "foretick"))
}

// threeIn is Three with its cache in a directory.
func threeIn(ctx context.Context, out io.Writer, cache string) (map[string][]byte, error) {
	dir := filepath.Join(cache, "web-"+lockHash())
	if found, err := readThree(dir); err == nil {
		return found, nil
	}
	return install(ctx, out, cache, dir)
}

func readThree(dir string) (map[string][]byte, error) {
	found := map[string][]byte{}
	for _, name := range threeFiles {
		b, err := os.ReadFile(filepath.Join(dir, "node_modules", "three", "build", name))
		if err != nil {
			return nil, err
		}
		if len(b) == 0 { // a machine that lost its power
			return nil, errors.New(name + " is empty")
		}
		found[name] = b
	}
	return found, nil
}

// lockHash names the cache: another lock file, another directory.
func lockHash() string {
	lock, _ := files.ReadFile("package-lock.json")
	sum := sha256.Sum256(lock)
	return hex.EncodeToString(sum[:6])
}

// install fills dir by npm, in a directory of its own that takes its place when
// all is there: what is half done is never found.
func install(ctx context.Context, out io.Writer, cache, dir string) (map[string][]byte, error) {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return nil, errors.New("npm is missing: install Node.js, which brings it, and start again")
	}
	io.WriteString(out, "installing three.js with npm (once) ... ")
	defer io.WriteString(out, "\n")
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return nil, err
	}
	work, err := os.MkdirTemp(cache, "npm-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	for _, name := range []string{"package.json", "package-lock.json"} {
		b, _ := files.ReadFile(name)
		if err := os.WriteFile(filepath.Join(work, name), b, 0o644); err != nil {
			return nil, err
		}
	}
	ctx, stop := context.WithTimeout(ctx, npmTime)
	defer stop()
	cmd := exec.CommandContext(ctx, npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error",
		"--fetch-retries=1", "--fetch-timeout=30000")
	cmd.Dir, cmd.WaitDelay = work, time.Second
	if said, err := cmd.CombinedOutput(); err != nil {
		if ctx.Err() != nil {
			return nil, errors.New("npm has not installed three.js in " + npmTime.String() + ": with a better network, start again")
		}
		return nil, errors.New("npm cannot install three.js; with a network to install from, start again: " + firstLine(said, err))
	}
	found, err := readThree(work)
	if err != nil {
		return nil, errors.New("npm installed no three.js (" + err.Error() + "): start again")
	}
	if os.Rename(work, dir) != nil {
		if _, err := readThree(dir); err != nil { // else another demo was quicker
			os.RemoveAll(dir) // what somebody spoiled
			os.Rename(work, dir)
		}
	}
	io.WriteString(out, "done")
	return found, nil
}

// npmTime is how long npm may take: the page waits, and there is a flat one.
var npmTime = 2 * time.Minute

// firstLine is what npm says first that is not a code.
func firstLine(said []byte, err error) string {
	for line := range strings.Lines(string(said)) {
		line = strings.TrimSpace(line)
		rest := strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(line, "npm error"), "npm ERR!"))
		if rest != "" && !strings.HasPrefix(rest, "code ") && !strings.HasPrefix(rest, "errno ") && !strings.HasPrefix(rest, "syscall ") {
			return rest
		}
	}
	return err.Error()
}
