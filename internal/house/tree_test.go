package house

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const module = "github.com/foretick/foretick"

// A file is one Go source, whatever its build constraints.
type file struct {
	rel   string // below the root, with slashes
	ast   *ast.File
	lines int
}

// A pkg is the Go files of one directory.
type pkg struct {
	rel     string // "" is the root
	program bool   // package main
	files   []*file
	tests   []*file // exempt from all but the length of a file
}

func (p *pkg) path() string { return path.Join(module, p.rel) }

// A tree is the module's sources and what is wrong with them.
type tree struct {
	root string
	fset *token.FileSet
	pkgs map[string]*pkg // by rel
	bad  map[finding]bool
}

type finding struct {
	file string
	line int
	text string
}

func (f finding) String() string { return fmt.Sprintf("%s:%d: %s", f.file, f.line, f.text) }

// open parses every Go file below root, passing over what the go command
// does: testdata, hidden directories, other modules.
func open(root string) (*tree, error) {
	t := &tree{root: root, fset: token.NewFileSet(), pkgs: map[string]*pkg{}, bad: map[finding]bool{}}
	err := filepath.WalkDir(root, func(at string, d fs.DirEntry, err error) error {
		if err != nil || at == root {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			_, err := os.Stat(filepath.Join(at, "go.mod"))
			if err == nil || name == "testdata" || name == "node_modules" || name == "vendor" ||
				strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
			return nil
		}
		return t.add(at)
	})
	return t, err
}

func (t *tree) add(at string) error {
	rel, err := filepath.Rel(t.root, at)
	if err != nil {
		return err
	}
	rel = filepath.ToSlash(rel)
	src, err := os.ReadFile(at)
	if err != nil {
		return err
	}
	parsed, err := parser.ParseFile(t.fset, at, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	dir := path.Dir(rel)
	if dir == "." {
		dir = ""
	}
	p := t.pkgs[dir]
	if p == nil {
		p = &pkg{rel: dir}
		t.pkgs[dir] = p
	}
	f := &file{rel: rel, ast: parsed, lines: bytes.Count(src, []byte("\n"))}
	if strings.HasSuffix(rel, "_test.go") {
		p.tests = append(p.tests, f)
	} else {
		p.files = append(p.files, f)
		p.program = p.program || parsed.Name.Name == "main"
	}
	return nil
}

// sorted returns the packages in the order of their paths.
func (t *tree) sorted() []*pkg {
	var all []*pkg
	for _, p := range t.pkgs {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b *pkg) int { return strings.Compare(a.rel, b.rel) })
	return all
}

// report notes that something is wrong at a place, once.
func (t *tree) report(at token.Pos, format string, args ...any) {
	pos := t.fset.Position(at)
	rel, err := filepath.Rel(t.root, pos.Filename)
	if err != nil {
		rel = pos.Filename
	}
	t.bad[finding{filepath.ToSlash(rel), pos.Line, fmt.Sprintf(format, args...)}] = true
}

// findings returns what was reported, by place.
func (t *tree) findings() []finding {
	var all []finding
	for f := range t.bad {
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b finding) int {
		if c := strings.Compare(a.file, b.file); c != 0 {
			return c
		}
		if a.line != b.line {
			return a.line - b.line
		}
		return strings.Compare(a.text, b.text)
	})
	return all
}

// imported is what an import clause names.
func imported(s *ast.ImportSpec) string {
	p, err := strconv.Unquote(s.Path.Value)
	if err != nil {
		panic(err) // the parser accepted it
	}
	return p
}

// ours returns the path below the module of an import of this module.
func ours(path string) (string, bool) {
	if path == module {
		return "", true
	}
	return strings.CutPrefix(path, module+"/")
}

// standard reports whether an import path is of the standard library: its
// first part has no dot.
func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

// under reports whether a path is one of the set or below one.
func under(set map[string]bool, path string) bool {
	for i := range path {
		if path[i] == '/' && set[path[:i]] {
			return true
		}
	}
	return set[path]
}
