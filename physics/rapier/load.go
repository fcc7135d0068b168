package rapier

import (
	"context"
	_ "embed"
	"io"
	"os"
	"path/filepath"

	"github.com/tetratelabs/wazero"

	"github.com/foretick/foretick/internal/npm"
)

//go:embed package.json
var manifest []byte

//go:embed package-lock.json
var lock []byte

const wasmFile = "node_modules/@dimforge/rapier3d/rapier_wasm3d_bg.wasm"

var set = npm.Set{Name: "Rapier", Prefix: "rapier", Manifest: manifest, Lock: lock, Need: []string{wasmFile}}

// Module is Rapier, compiled. It is safe for concurrent use.
type Module struct {
	ctx     context.Context
	runtime wazero.Runtime
	code    wazero.CompiledModule
}

// Load returns Rapier, which npm installs into the user's cache the first time.
// To compile it takes some ten seconds then and a tenth of one later; out is
// told of what takes long. The error says what to do.
func Load(ctx context.Context, out io.Writer) (*Module, error) {
	return load(ctx, out, npm.Cache())
}

func load(ctx context.Context, out io.Writer, cache string) (*Module, error) {
	dir, err := set.Install(ctx, out, cache)
	if err != nil {
		return nil, err
	}
	binary, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(wasmFile)))
	if err != nil {
		return nil, err
	}
	compiled := filepath.Join(dir, "compiled")
	if _, err := os.Stat(compiled); err != nil {
		io.WriteString(out, "compiling Rapier (once) ... ")
		defer io.WriteString(out, "\n")
	}
	config := wazero.NewRuntimeConfig()
	if c, err := wazero.NewCompilationCacheWithDir(compiled); err == nil { // else it is compiled each time
		config = config.WithCompilationCache(c)
	}
	m := &Module{ctx: context.Background(), runtime: wazero.NewRuntimeWithConfig(ctx, config)}
	if err := imports(ctx, m.runtime); err != nil {
		m.Close()
		return nil, err
	}
	if m.code, err = m.runtime.CompileModule(ctx, binary); err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

// Close frees the code and all Worlds that were made of it.
func (m *Module) Close() error { return m.runtime.Close(m.ctx) }
