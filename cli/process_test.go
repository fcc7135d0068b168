//go:build !js

package cli_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// program builds the foretick command once for all tests.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "foretick-test")
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "foretick")
	if runtime.GOOS == "windows" {
		file += ".exe"
	}
	out, err := exec.Command("go", "build", "-o", file, "github.com/foretick/foretick/cmd/foretick").CombinedOutput()
	if err != nil {
		return string(out), err
	}
	return file, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if file, err := program(); err == nil {
		os.RemoveAll(filepath.Dir(file))
	}
	os.Exit(code)
}

// process is one foretick process. Its output is gathered as lines.
type process struct {
	t     *testing.T
	cmd   *exec.Cmd
	errs  strings.Builder
	lines chan string
	done  chan struct{}
}

func start(t *testing.T, args ...string) *process {
	t.Helper()
	file, err := program()
	if err != nil {
		t.Fatal(err, file)
	}
	p := &process{t: t, cmd: exec.Command(file, args...), lines: make(chan string, 100), done: make(chan struct{})}
	p.cmd.Stderr = &p.errs
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.done)
		for s := bufio.NewScanner(out); s.Scan(); {
			p.lines <- s.Text()
		}
		close(p.lines)
		p.cmd.Wait()
	}()
	t.Cleanup(func() {
		p.cmd.Process.Kill()
		<-p.done
	})
	return p
}

// line waits for a line that has the word and returns it.
func (p *process) line(word string, limit time.Duration) string {
	p.t.Helper()
	late := time.After(limit)
	for {
		select {
		case s, ok := <-p.lines:
			if !ok {
				<-p.done
				p.t.Fatalf("%v ended without a word of %q: %s", p.cmd.Args, word, p.errs.String())
			}
			if strings.Contains(s, word) {
				return s
			}
		case <-late:
			p.t.Fatalf("%v said nothing of %q in %v", p.cmd.Args, word, limit)
		}
	}
}

// stop interrupts the process, as Ctrl-C does, and returns its exit code.
func (p *process) stop() { p.cmd.Process.Signal(syscall.SIGTERM) }

// code waits for the end.
func (p *process) code() int {
	<-p.done
	return p.cmd.ProcessState.ExitCode()
}

// field reads key=value of a report.
func field(t *testing.T, line, key string) string {
	t.Helper()
	for _, f := range strings.Fields(line) {
		if v, ok := strings.CutPrefix(f, key+"="); ok {
			return v
		}
	}
	t.Fatalf("no %s in %q", key, line)
	return ""
}

func number(t *testing.T, line, key string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(field(t, line, key), 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func duration(t *testing.T, line, key string) time.Duration {
	t.Helper()
	d, err := time.ParseDuration(field(t, line, key))
	if err != nil {
		t.Fatal(err)
	}
	return d
}
