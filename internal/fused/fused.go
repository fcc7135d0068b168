// Package fused finds fused multiply-adds: instructions that Go emits for
// x*y + z on some processors and not on others, so that a step gives different
// bits there. The cure is in the source: float32(x*y) + z.
//
// It runs the go command, which must be on the PATH. Compiling the standard
// library for each target takes a while the first time; the build cache makes
// the next time fast.
package fused

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A Target is a processor to compile for.
type Target struct {
	Name string   // as in a Finding
	Env  []string // what selects it
}

// Targets are those on which Go fuses and a game may well run.
var Targets = []Target{
	{"arm64", []string{"GOARCH=arm64"}},
	{"amd64 v3", []string{"GOARCH=amd64", "GOAMD64=v3"}},
	{"riscv64", []string{"GOARCH=riscv64"}},
}

// A Finding is a fused instruction.
type Finding struct {
	Target string // name of the Target
	Func   string // the function it is compiled into
	File   string // where its source stands; inlined code stands elsewhere than Func
	Line   int
	Op     string // the instruction
}

func (f Finding) String() string {
	return fmt.Sprintf("%s:%d: %s on %s, in %s", f.File, f.Line, f.Op, f.Target, f.Func)
}

// Look compiles the packages that patterns name, as go build does in dir, for
// every target and returns the fused instructions in them, by place in the
// source and then by target. Packages they import are looked at only so far as
// they are inlined. A package that does not compile is an error, and so is one
// look that saw no instruction at all. Assembly files are not looked at.
//
// Look may be called from several goroutines.
func Look(dir string, patterns ...string) ([]Finding, error) {
	if len(patterns) == 0 {
		return nil, errors.New("fused: no package to look at")
	}
	var all []Finding
	for _, t := range Targets {
		found, err := look(dir, t, patterns)
		if err != nil {
			return nil, fmt.Errorf("fused: %s: %w", t.Name, err)
		}
		all = append(all, found...)
	}
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return all, nil
}

// one keeps two looks from compiling the same at the same time.
var one sync.Mutex

func look(dir string, t Target, patterns []string) ([]Finding, error) {
	one.Lock()
	defer one.Unlock()
	// The null device as output: a main package leaves no program behind.
	args := append([]string{"build", "-gcflags=-S", "-o", os.DevNull, "--"}, patterns...)
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS=linux", "CGO_ENABLED=0", "PWD="+dir)
	cmd.Env = append(cmd.Env, t.Env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("go build %s: %w\n%s", strings.Join(patterns, " "), err, complaints(out))
	}
	found, seen, err := parse(out, dir, t.Name)
	if err == nil && seen == 0 {
		err = errors.New("go build printed no instructions: nothing was looked at")
	}
	return found, err
}

var (
	// 	0x0004 00004 (/src/geom/vec.go:47)	FMADDS	F0, F1, F2, F3
	instruction = regexp.MustCompile(`^\t0x[0-9a-f]+ \d+ \((.+):(\d+)\)\t(\S+)`)
	// example.com/geom.Vec2.Dot STEXT nosplit size=32
	function = regexp.MustCompile(`^(\S.*) STEXT`)
	// FMADDS, FNMSUBD (arm64, riscv64); VFNMADD231SS (amd64); VFMLA (arm64 vectors)
	fusedOp = regexp.MustCompile(`^V?FN?M(ADD|SUB|LA|LS)`)
)

// parse reads what the compiler prints with -S.
func parse(out []byte, dir, target string) (found []Finding, seen int, err error) {
	known := map[Finding]bool{}
	in := ""
	s := bufio.NewScanner(bytes.NewReader(out))
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		line := s.Text()
		if m := function.FindStringSubmatch(line); m != nil {
			in = m[1]
			continue
		}
		m := instruction.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		seen++
		if !fusedOp.MatchString(m[3]) {
			continue
		}
		file := m[1]
		if !filepath.IsAbs(file) { // go build shortens paths below dir
			file = filepath.Join(dir, file)
		}
		n, _ := strconv.Atoi(m[2]) // digits, by the expression
		f := Finding{Target: target, Func: in, File: file, Line: n, Op: m[3]}
		if !known[f] {
			known[f] = true
			found = append(found, f)
		}
	}
	return found, seen, s.Err()
}

// complaints returns the lines of a failed build that are not assembly.
func complaints(out []byte) string {
	var b strings.Builder
	for line := range strings.Lines(string(out)) {
		if !strings.HasPrefix(line, "\t") && !strings.Contains(line, " STEXT") && !assembly.MatchString(line) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// assembly is a line that names data, as in go:string."x" SRODATA dupok size=1.
var assembly = regexp.MustCompile(`^\S.* S[A-Z]+ .*size=\d+`)
