//go:build !js

package cli

import (
	"context"
	"net/http"
	"strings"

	"github.com/foretick/foretick/web"
)

// page serves the page, from memory.
type page struct {
	index []byte
	files map[string]*served // by path
}

// served is a file, and the same compressed.
type served struct {
	kind   string
	plain  []byte
	packed map[string][]byte // by content encoding
}

// newPage makes a page of its parts: three's files, and what Go compiled and
// brings with it.
func newPage(ctx context.Context, look web.Look, three map[string][]byte, wasm, support []byte) *page {
	p := &page{index: web.Index(look), files: map[string]*served{}}
	p.add("/wasm_exec.js", web.Kind(".js"), support)
	p.add("/game.wasm", "application/wasm", wasm)
	if b := brotli(ctx, wasm); b != nil {
		p.files["/game.wasm"].packed["br"] = b
	}
	for name, b := range three {
		p.add("/three/"+name, web.Kind(name), b)
	}
	return p
}

func (p *page) add(path, kind string, b []byte) {
	p.files[path] = &served{kind, b, map[string][]byte{"gzip": gzipped(b)}}
}

func (p *page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-cache") // it is rebuilt under the same name
	kind, body := "text/html; charset=utf-8", p.index
	f, held := p.files[r.URL.Path]
	name := strings.TrimPrefix(r.URL.Path, "/")
	switch file, ours := web.File(name); {
	case name == "":
	case name == "favicon.ico":
		w.WriteHeader(http.StatusNoContent)
		return
	case held:
		var encoding string
		kind = f.kind
		encoding, body = f.best(r.Header.Get("Accept-Encoding"))
		h.Set("Vary", "Accept-Encoding")
		if encoding != "" {
			h.Set("Content-Encoding", encoding)
		}
	case ours:
		kind, body = web.Kind(name), file
	default:
		http.NotFound(w, r)
		return
	}
	h.Set("Content-Type", kind)
	w.Write(body)
}
