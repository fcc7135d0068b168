package house

import "go/ast"

// checkSizes holds files, tests included, and functions against their limits.
func checkSizes(t *tree) {
	for _, p := range t.sorted() {
		for _, f := range append(p.files[:len(p.files):len(p.files)], p.tests...) {
			if f.lines > maxFileLines {
				t.report(f.ast.Package, "%d lines in a file, at most %d", f.lines, maxFileLines)
			}
		}
		for _, f := range p.files {
			ast.Inspect(f.ast, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncDecl:
					return t.checkLength(n.Type, n)
				case *ast.FuncLit:
					return t.checkLength(n.Type, n)
				}
				return true
			})
		}
	}
}

// checkLength reports a function that is too long; else its parts may be seen.
func (t *tree) checkLength(typ *ast.FuncType, whole ast.Node) bool {
	lines := t.fset.Position(whole.End()).Line - t.fset.Position(typ.Func).Line + 1
	if lines > maxFuncLines {
		t.report(typ.Func, "%d lines in a function, at most %d", lines, maxFuncLines)
		return false
	}
	return true
}
