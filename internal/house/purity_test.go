package house

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/types"
	"path/filepath"
	"strings"
)

// Each refused function or method, by the path of its package, with a dot and
// the type between for a method.
var refused = map[string]map[string]bool{
	"time":          words("Now Since Until Sleep After AfterFunc Tick NewTimer NewTicker Local LoadLocation"),
	"math":          words("FMA"),
	"iter":          words("Pull Pull2"),
	"maps":          words("Keys Values All DeleteFunc EqualFunc"),
	"reflect.Value": words("MapRange MapKeys Seq Seq2"),
	"fmt": words("Print Printf Println Fprint Fprintf Fprintln" +
		" Scan Scanf Scanln Fscan Fscanf Fscanln Sscan Sscanf Sscanln"),
}

var reasons = map[string]string{
	"time":          "time comes in as an argument",
	"math":          "it rounds once where others round twice",
	"iter":          "it is a goroutine in disguise",
	"maps":          "the order of a map is random",
	"reflect.Value": "the order of a map is random",
	"fmt":           "a pure package neither prints nor scans",
}

// exact are the functions of package math with the same bits on every
// processor.
var exact = words("Sqrt Abs Floor Ceil Trunc Round RoundToEven Mod Modf Remainder Frexp Ldexp Copysign Signbit" +
	" Inf NaN IsNaN IsInf Float32bits Float32frombits Float64bits Float64frombits Nextafter Nextafter32" +
	" Max Min Dim")

// A variant is a way to build. Every file of a pure package must belong to one,
// so that none goes unseen.
type variant struct {
	goos, goarch string
	tags         []string
}

var variants = []variant{
	{"linux", "amd64", nil},
	{"linux", "amd64", []string{"invariant", "fault"}},
	{"js", "wasm", nil},
}

// checkPurity type-checks every pure package in every variant and reports
// what law 2 and law 1 refuse. Packages of this module come from their source,
// those of the standard library from the compiler's export data.
func checkPurity(t *tree) error {
	std := importer.Default()
	built := map[*file]bool{}
	for _, v := range variants {
		c := &checker{tree: t, std: std, built: built, done: map[string]*types.Package{}}
		c.ctx = build.Default
		c.ctx.GOOS, c.ctx.GOARCH, c.ctx.BuildTags = v.goos, v.goarch, v.tags
		for _, p := range t.sorted() {
			if r, ok := place(p.rel, p.program); ok && r.pure && len(p.files) > 0 {
				if _, err := c.Import(p.path()); err != nil {
					return err
				}
			}
		}
	}
	for _, p := range t.sorted() {
		r, ok := place(p.rel, p.program)
		for _, f := range p.files {
			if ok && r.pure && !built[f] {
				t.report(f.ast.Package, "built in no variant that internal/house knows, so nothing in it was checked")
			}
		}
	}
	return nil
}

// A checker type-checks the pure packages of one variant. It is their importer.
type checker struct {
	*tree
	ctx   build.Context
	std   types.Importer
	built map[*file]bool
	done  map[string]*types.Package
}

// Import returns a type-checked package, having looked for violations in it.
func (c *checker) Import(path string) (*types.Package, error) {
	rel, ok := ours(path)
	if !ok {
		if standard(path) {
			return c.std.Import(path)
		}
		return nil, fmt.Errorf("%s is outside the standard library", path)
	}
	if done, ok := c.done[path]; ok {
		if done == nil {
			return nil, errors.New("import cycle through " + path)
		}
		return done, nil
	}
	p := c.pkgs[rel]
	if p == nil {
		return nil, errors.New("no package " + path)
	}
	r, ok := place(rel, p.program)
	if !ok || !r.pure {
		return nil, errors.New(path + " is not pure")
	}
	c.done[path] = nil
	return c.check(p, r)
}

func (c *checker) check(p *pkg, r row) (*types.Package, error) {
	var files []*file
	var asts []*ast.File
	for _, f := range p.files {
		match, err := c.ctx.MatchFile(filepath.Join(c.root, p.rel), filepath.Base(f.rel))
		if err != nil {
			return nil, err
		}
		if match {
			c.built[f] = true
			files = append(files, f)
			asts = append(asts, f.ast)
		}
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{
		Importer: c,
		Error: func(err error) {
			// Without its types a package cannot be judged.
			var e types.Error
			if errors.As(err, &e) && !e.Soft {
				c.report(e.Pos, "does not type-check: %s", e.Msg)
			}
		},
	}
	checked, _ := config.Check(p.path(), c.fset, asts, info) // errors went to Error
	c.done[p.path()] = checked
	for _, f := range files {
		l := look{c.tree, info, stepsRun(r) && notInAStep[f.rel] == ""}
		ast.Inspect(f.ast, l.node)
	}
	return checked, nil
}

func stepsRun(r row) bool { return r.floor <= stepFloor || under(stepPackages, r.path) }

// A look is over one file of a pure package.
type look struct {
	*tree
	info *types.Info
	step bool
}

func (l look) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GoStmt:
		l.report(n.Pos(), "go: the core has no goroutine")
	case *ast.SelectStmt:
		l.report(n.Pos(), "select: which case runs is random")
	case *ast.RangeStmt:
		if t := l.info.TypeOf(n.X); t != nil && mayBeMap(t) {
			l.report(n.Pos(), "range over a map: the order of a map is random")
		}
	case *ast.ImportSpec:
		if l.step && imported(n) == "math/cmplx" {
			l.report(n.Pos(), "math/cmplx in a step: it differs between processors")
		}
	case *ast.Ident:
		l.use(n)
	}
	return true
}

// mayBeMap reports whether a type is a map, or a type parameter that may be
// instantiated with one.
func mayBeMap(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.TypeParam); ok {
		return mayBeMap(p.Constraint())
	}
	switch u := t.Underlying().(type) {
	case *types.Map:
		return true
	case *types.Interface:
		for i := range u.NumEmbeddeds() {
			if mayBeMap(u.EmbeddedType(i)) {
				return true
			}
		}
	case *types.Union:
		for i := range u.Len() {
			if mayBeMap(u.Term(i).Type()) {
				return true
			}
		}
	}
	return false
}

// use looks at a name by what it stands for, so renamed and dot imports and
// functions that are only passed on are seen too.
func (l look) use(id *ast.Ident) {
	obj := l.info.Uses[id]
	if b, ok := obj.(*types.Builtin); ok && (b.Name() == "print" || b.Name() == "println") {
		l.report(id.Pos(), "%s: %s", b.Name(), reasons["fmt"])
	}
	if obj == nil || obj.Pkg() == nil {
		return
	}
	in := obj.Pkg().Path()
	f, isFunc := obj.(*types.Func)
	if isFunc && f.Signature().Recv() != nil {
		in = receiver(f)
	} else if obj.Parent() != obj.Pkg().Scope() {
		return // a field, or a name of no package
	}
	if refused[in][obj.Name()] {
		l.report(id.Pos(), "%s.%s: %s", in, obj.Name(), reasons[in])
		return
	}
	if in == "math" && isFunc && l.step && !exact[obj.Name()] {
		l.report(id.Pos(), "math.%s in a step differs between processors: use geom,"+
			" or list the file in notInAStep", obj.Name())
	}
}

// receiver returns path.Type of a method.
func receiver(f *types.Func) string {
	t := f.Signature().Recv().Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	return strings.TrimPrefix(types.TypeString(t, nil), "*")
}
