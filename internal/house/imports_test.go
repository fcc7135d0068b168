package house

import (
	"go/ast"
	"os/exec"
	"slices"
	"strings"
)

// unclean is what a pure package may not import, nor what is below it: I/O,
// other goroutines, global or seeded-by-the-process randomness.
var unclean = words("os net sync context log math/rand crypto/rand hash/maphash syscall runtime plugin flag C")

// checkFloors holds every import of every package against the table.
func checkFloors(t *tree) error {
	brings, err := t.bringsFmt()
	if err != nil {
		return err
	}
	for _, p := range t.sorted() {
		if len(p.files) == 0 {
			continue
		}
		first := p.files[0].ast.Name
		if emptyNames[p.rel[strings.LastIndex(p.rel, "/")+1:]] || emptyNames[first.Name] {
			t.report(first.Pos(), "a package called %s says nothing: name it after what it is for", first.Name)
		}
		r, ok := place(p.rel, p.program)
		if !ok {
			t.report(first.Pos(), "package %s has no floor: add a row to internal/house/floors_test.go", p.path())
			continue
		}
		for _, f := range p.files {
			for _, spec := range f.ast.Imports {
				t.checkImport(r, spec, brings)
			}
		}
	}
	return nil
}

func (t *tree) checkImport(r row, spec *ast.ImportSpec, brings map[string]bool) {
	to := imported(spec)
	if owner, ok := owners[to]; ok && r.path != owner {
		t.report(spec.Pos(), "%s belongs to %s", to, owner)
	}
	if clientPath[r.path] && brings[to] {
		t.report(spec.Pos(), "%s brings fmt into every client: use errors and strconv", to)
	}
	if rel, ok := ours(to); ok {
		if t.pkgs[rel] == nil {
			t.report(spec.Pos(), "no package %s", to)
			return
		}
		target, ok := place(rel, t.pkgs[rel].program)
		if !ok {
			return // reported where it stands
		}
		if target.floor >= r.floor {
			t.report(spec.Pos(), "floor %g may not import %s on floor %g", r.floor, rel, target.floor)
		}
		if r.pure && !target.pure {
			t.report(spec.Pos(), "a pure package may not import the shell %s", rel)
		}
		return
	}
	if r.pure && (!standard(to) || under(unclean, to)) {
		t.report(spec.Pos(), "a pure package may not import %s", to)
	}
}

// bringsFmt returns which of the standard packages that the client's path
// imports are fmt or import it, however far down.
func (t *tree) bringsFmt() (map[string]bool, error) {
	brings := map[string]bool{"fmt": true}
	var ask []string
	for _, p := range t.sorted() {
		if !clientPath[p.rel] {
			continue
		}
		for _, f := range p.files {
			for _, spec := range f.ast.Imports {
				if to := imported(spec); standard(to) && to != "fmt" && to != "unsafe" && to != "C" {
					ask = append(ask, to)
				}
			}
		}
	}
	if len(ask) == 0 {
		return brings, nil
	}
	slices.Sort(ask)
	args := append([]string{"list", "-f", `{{.ImportPath}} {{join .Deps " "}}`}, slices.Compact(ask)...)
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(out)) {
		deps := strings.Fields(line)
		if slices.Contains(deps, "fmt") {
			brings[deps[0]] = true
		}
	}
	return brings, nil
}
