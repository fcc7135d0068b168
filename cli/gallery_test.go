//go:build !js

package cli

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/foretick/foretick/web"
)

// The gallery is a page of its own, linked from the game's and back, and its
// program is built when it is asked for. Where it cannot be, the answer says
// so, and the next request tries again.
func TestGalleryIsServed(t *testing.T) {
	p := newPage(t.Context(), web.Look{Name: "pucks"}, nil, []byte("wasm"), nil)
	get := func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		p.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		return w
	}
	if body := get("/").Body.String(); !strings.Contains(body, `href="gallery"`) {
		t.Error("the page does not link to the gallery")
	}
	w := get("/gallery")
	if body := w.Body.String(); w.Code != 200 || !strings.Contains(body, "back to pucks") || !strings.Contains(body, `src="gallery.js"`) ||
		w.Header().Get("Cross-Origin-Embedder-Policy") != "require-corp" {
		t.Errorf("%d, %v: %s", w.Code, w.Header(), body)
	}
	for path, kind := range map[string]string{"/gallery.js": "text/javascript", "/gallery.css": "text/css", "/orbit.js": "text/javascript"} {
		if w := get(path); w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), kind) {
			t.Errorf("%s: %d, %v", path, w.Code, w.Header())
		}
	}
	if w := get("/gallery.html"); w.Code != 404 {
		t.Errorf("the template itself: %d", w.Code)
	}
	t.Run("without Go", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		if w := get("/gallery.wasm"); w.Code != 500 || !strings.Contains(w.Body.String(), "the gallery cannot be built here") {
			t.Errorf("%d: %s", w.Code, w.Body)
		}
	})
	if testing.Short() {
		t.Skip("compiles for the browser")
	}
	if w := get("/gallery.wasm"); w.Code != 200 || !strings.HasPrefix(w.Body.String(), "\x00asm") || w.Header().Get("Content-Type") != "application/wasm" {
		t.Errorf("%d, %v, %d bytes", w.Code, w.Header(), w.Body.Len())
	}
}
