// Package npm installs what a lock file pins, once, into a directory of the
// user's cache. The repository holds no code of others; what runs is what the
// lock file says, to the bit.
package npm

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

// Time is how long npm may take.
var Time = 2 * time.Minute

// Set is what is installed together.
type Set struct {
	Name           string // for people
	Prefix         string // of the directory, before the lock file's hash
	Manifest, Lock []byte // package.json and package-lock.json
	Need           []string
}

// Cache returns the directory that holds the program's caches.
func Cache() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = os.TempDir()
	}
	return filepath.Join(dir, "foretick")
}

// Key names the set's directory: another lock file, another directory.
func (s Set) Key() string {
	sum := sha256.Sum256(s.Lock)
	return s.Prefix + "-" + hex.EncodeToString(sum[:6])
}

// Install returns the directory of cache in which all that s needs is, after
// npm has put it there if it is not. The error says what to do.
//
// npm works in a directory of its own that takes its place when all is there:
// what is half done is never found, and two processes do no harm.
func (s Set) Install(ctx context.Context, out io.Writer, cache string) (string, error) {
	dir := filepath.Join(cache, s.Key())
	if s.complete(dir) == nil {
		return dir, nil
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		return "", errors.New("npm is missing: install Node.js, which brings it, and start again")
	}
	io.WriteString(out, "installing "+s.Name+" with npm (once) ... ")
	defer io.WriteString(out, "\n")
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", err
	}
	work, err := os.MkdirTemp(cache, "npm-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	if err := s.run(ctx, npm, work); err != nil {
		return "", err
	}
	if err := s.complete(work); err != nil {
		return "", errors.New("npm installed no " + s.Name + " (" + err.Error() + "): start again")
	}
	if os.Rename(work, dir) != nil && s.complete(dir) != nil { // else another process was quicker
		os.RemoveAll(dir) // what somebody spoiled
		if err := os.Rename(work, dir); err != nil {
			return "", err
		}
	}
	io.WriteString(out, "done")
	return dir, nil
}

func (s Set) run(ctx context.Context, npm, work string) error {
	for name, b := range map[string][]byte{"package.json": s.Manifest, "package-lock.json": s.Lock} {
		if err := os.WriteFile(filepath.Join(work, name), b, 0o644); err != nil {
			return err
		}
	}
	ctx, stop := context.WithTimeout(ctx, Time)
	defer stop()
	cmd := exec.CommandContext(ctx, npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error",
		"--fetch-retries=1", "--fetch-timeout=30000")
	cmd.Dir, cmd.WaitDelay = work, time.Second
	if said, err := cmd.CombinedOutput(); err != nil {
		if ctx.Err() != nil {
			return errors.New("npm has not installed " + s.Name + " in " + Time.String() + ": with a better network, start again")
		}
		return errors.New("npm cannot install " + s.Name + "; with a network to install from, start again: " + firstLine(said, err))
	}
	return nil
}

// complete says what is missing in a directory.
func (s Set) complete(dir string) error {
	for _, name := range s.Need {
		info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		if info.Size() == 0 { // a machine that lost its power
			return errors.New(name + " is empty")
		}
	}
	return nil
}

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
