//go:build !js

package cli

import (
	"bytes"
	"compress/gzip"
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
	kind          string
	plain, packed []byte
}

// newPage makes a page of its parts: three's files, and what Go compiled and
// brings with it.
func newPage(look web.Look, three map[string][]byte, wasm, support []byte) *page {
	p := &page{index: web.Index(look), files: map[string]*served{}}
	p.add("/wasm_exec.js", web.Kind(".js"), support)
	p.add("/game.wasm", "application/wasm", wasm)
	for name, b := range three {
		p.add("/three/"+name, web.Kind(name), b)
	}
	return p
}

func (p *page) add(path, kind string, b []byte) {
	var z bytes.Buffer
	w, _ := gzip.NewWriterLevel(&z, gzip.BestSpeed)
	w.Write(b)
	w.Close()
	p.files[path] = &served{kind, b, z.Bytes()}
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
		kind, body = f.kind, f.plain
		h.Set("Vary", "Accept-Encoding")
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			h.Set("Content-Encoding", "gzip")
			body = f.packed
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
