//go:build !js

package cli

import (
	"bytes"
	"compress/gzip"
	"embed"
	"html/template"
	"net/http"
	"strings"
)

//go:embed page
var pageFiles embed.FS

// page serves the plain page, from memory.
type page struct {
	index, script []byte
	support       []byte // wasm_exec.js
	wasm, packed  []byte // packed: gzip
}

func newPage(name string, wasm, support []byte) *page {
	p := &page{wasm: wasm, support: support}
	var b bytes.Buffer
	t := template.Must(template.ParseFS(pageFiles, "page/index.html"))
	if err := t.Execute(&b, name); err != nil {
		panic(err) // the template is ours
	}
	p.index = b.Bytes()
	p.script, _ = pageFiles.ReadFile("page/page.js")
	var z bytes.Buffer
	w, _ := gzip.NewWriterLevel(&z, gzip.BestSpeed)
	w.Write(wasm)
	w.Close()
	p.packed = z.Bytes()
	return p
}

func (p *page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	kind, body := "text/javascript; charset=utf-8", []byte(nil)
	switch r.URL.Path {
	case "/":
		kind, body = "text/html; charset=utf-8", p.index
	case "/page.js":
		body = p.script
	case "/wasm_exec.js":
		body = p.support
	case "/game.wasm":
		kind, body = "application/wasm", p.wasm
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			w.Header().Set("Content-Encoding", "gzip")
			body = p.packed
		}
		w.Header().Set("Vary", "Accept-Encoding")
	case "/favicon.ico":
		w.WriteHeader(http.StatusNoContent)
		return
	default:
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", "no-cache") // it is rebuilt under the same name
	w.Write(body)
}
