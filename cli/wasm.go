//go:build !js

package cli

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/foretick/foretick/internal/wasmpack"
)

// buildWasm compiles this very program for the browser. go's build cache makes
// it quick from the second time on.
func buildWasm(ctx context.Context) ([]byte, error) {
	main := "."
	if info, ok := debug.ReadBuildInfo(); ok && strings.Contains(info.Path, "/") {
		main = info.Path
	}
	b, err := buildMain(ctx, main)
	if err != nil {
		return nil, errors.New("the page cannot be built; run this in the directory of the game's source, or give -wasm: " + err.Error())
	}
	return b, nil
}

func buildMain(ctx context.Context, main string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "foretick")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "game.wasm")
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", file, main)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, errors.New(lastLine(string(out), err))
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if packed, err := wasmpack.Pack(b); err == nil {
		return packed, nil
	}
	return b, nil // larger, but it runs
}

// brotli compresses with the brotli of Node, which the page needs anyway for
// its packages; nil without Node. Quality 6 takes a second and a half, 11 half a
// minute for a tenth less.
func brotli(ctx context.Context, b []byte) []byte {
	const script = `const z = require("zlib"), c = z.constants
process.stdout.write(z.brotliCompressSync(require("fs").readFileSync(0),
	{params: {[c.BROTLI_PARAM_QUALITY]: 6, [c.BROTLI_PARAM_LGWIN]: 24}}))`
	cmd := exec.CommandContext(ctx, "node", "-e", script)
	cmd.Stdin = bytes.NewReader(b)
	out, err := cmd.Output()
	if err != nil {
		return nil
	}
	return out
}

func gzipped(b []byte) []byte {
	var z bytes.Buffer
	w, _ := gzip.NewWriterLevel(&z, gzip.BestCompression)
	w.Write(b)
	w.Close()
	return z.Bytes()
}

// best returns the smallest form of a file that a request's Accept-Encoding
// allows.
func (s *served) best(accept string) (encoding string, body []byte) {
	body = s.plain
	for _, offer := range strings.Split(accept, ",") {
		name, q, _ := strings.Cut(strings.ReplaceAll(offer, " ", ""), ";")
		if b := s.packed[strings.ToLower(name)]; b != nil && !refused(q) && len(b) < len(body) {
			encoding, body = strings.ToLower(name), b
		}
	}
	return encoding, body
}

// refused reports whether a quality is zero: "q=0" or "q=0.000".
func refused(q string) bool {
	zero, ok := strings.CutPrefix(strings.ToLower(q), "q=")
	return ok && strings.Trim(zero, "0.") == ""
}

// least is how many bytes a browser loads.
func (s *served) least() int {
	_, b := s.best("gzip, br")
	return len(b)
}
