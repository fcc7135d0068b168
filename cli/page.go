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
	index   []byte
	files   map[string]*served // by path
	gallery *gallery           // nil: there is none
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
	p := &page{index: web.Index(look), files: map[string]*served{}, gallery: newGallery(ctx, look)}
	p.add("/wasm_exec.js", web.Kind(".js"), support)
	p.files["/game.wasm"] = packed(ctx, "application/wasm", wasm)
	for name, b := range three {
		p.add("/three/"+name, web.Kind(name), b)
	}
	return p
}

func (p *page) add(path, kind string, b []byte) {
	p.files[path] = &served{kind, b, map[string][]byte{"gzip": gzipped(b)}}
}

// packed is a large file, compressed as well as can be in a second or two.
func packed(ctx context.Context, kind string, b []byte) *served {
	f := &served{kind, b, map[string][]byte{"gzip": gzipped(b)}}
	if small := brotli(ctx, b); small != nil {
		f.packed["br"] = small
	}
	return f
}

// write answers with the smallest form that the request accepts.
func (f *served) write(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	encoding, body := f.best(r.Header.Get("Accept-Encoding"))
	h.Set("Vary", "Accept-Encoding")
	if encoding != "" {
		h.Set("Content-Encoding", encoding)
	}
	h.Set("Content-Type", f.kind)
	w.Write(body)
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
		f.write(w, r)
		return
	case name == "gallery" && p.gallery != nil:
		// A page of its own processes has a clock fine enough for a step.
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Embedder-Policy", "require-corp")
		body = p.gallery.index
	case name == "gallery.wasm" && p.gallery != nil:
		p.gallery.ServeHTTP(w, r)
		return
	case ours:
		kind, body = web.Kind(name), file
	default:
		http.NotFound(w, r)
		return
	}
	h.Set("Content-Type", kind)
	w.Write(body)
}
