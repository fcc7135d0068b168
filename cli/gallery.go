//go:build !js

package cli

import (
	"context"
	"errors"
	"net/http"
	"sync"

	"github.com/foretick/foretick/web"
)

// galleryMain is the gallery's program, which is not of the game that is
// played.
const galleryMain = "github.com/foretick/foretick/cmd/gallery"

// gallery is the page at /gallery. Its program is built when it is first asked
// for: who plays does not wait for it.
type gallery struct {
	ctx   context.Context
	index []byte

	mu      sync.Mutex
	program *served
}

func newGallery(ctx context.Context, look web.Look) *gallery {
	return &gallery{ctx: ctx, index: web.Gallery(look)}
}

// ServeHTTP serves the program. When it cannot be built the page says why, and
// the next request tries again.
func (g *gallery) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p, err := g.built()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	p.write(w, r)
}

func (g *gallery) built() (*served, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.program != nil {
		return g.program, nil
	}
	b := web.GalleryProgram()
	if b == nil {
		var err error
		if b, err = buildMain(g.ctx, galleryMain); err != nil {
			return nil, errors.New("the gallery cannot be built here: " + err.Error())
		}
	}
	g.program = packed(g.ctx, "application/wasm", b)
	return g.program, nil
}
