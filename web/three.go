package web

import (
	"context"
	"io"
	"os"
	"path"
	"path/filepath"

	"github.com/foretick/foretick/internal/npm"
)

// threeFiles are what the page loads of three, below /three/.
var threeFiles = []string{"three.module.js", "three.core.js"}

// threeDir is where npm puts them.
const threeDir = "node_modules/three/build"

// Three returns three's files by name: those in the program if it was built
// with the tag embedpage, else from a cache, which npm fills the first time, as
// the lock file says. The error says what to do; the page works without.
func Three(ctx context.Context, out io.Writer) (map[string][]byte, error) {
	if len(embedded) > 0 {
		return embedded, nil
	}
	return threeIn(ctx, out, npm.Cache())
}

// threeIn is Three with its cache in a directory.
func threeIn(ctx context.Context, out io.Writer, cache string) (map[string][]byte, error) {
	dir, err := three().Install(ctx, out, cache)
	if err != nil {
		return nil, err
	}
	found := map[string][]byte{}
	for _, name := range threeFiles {
		if found[name], err = os.ReadFile(filepath.Join(dir, filepath.FromSlash(threeDir), name)); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// three is what npm installs for the page.
func three() npm.Set {
	s := npm.Set{Name: "three.js", Prefix: "web"}
	s.Manifest, _ = files.ReadFile("package.json")
	s.Lock, _ = files.ReadFile("package-lock.json")
	for _, name := range threeFiles {
		s.Need = append(s.Need, path.Join(threeDir, name))
	}
	return s
}
