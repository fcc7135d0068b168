// Package web is the page that a browser plays on: its files, and three.js for
// it. cli serves it; the other half is the game itself as WebAssembly.
package web

import (
	"bytes"
	"embed"
	"html/template"
	"mime"
	"path"
)

// What the tag embedpage embeds.
//go:generate go run ./embed

//go:embed index.html gallery.html *.js *.css package.json package-lock.json
var files embed.FS

// The files with holes to fill.
var pages = template.Must(template.ParseFS(files, "index.html", "gallery.html"))

// Look fills the pages.
type Look struct {
	Name    string // of the game
	Bots    int    // players 1 to Bots are bots of the demo
	NoThree string // why there is no three.js, empty: there is
}

// Support returns the script that comes with Go, if it is in the program.
func Support() []byte { return support }

// GalleryProgram returns the gallery as WebAssembly, if it is in the program.
func GalleryProgram() []byte { return galleryProgram }

// Index returns the page itself.
func Index(l Look) []byte { return fill("index.html", l) }

// Gallery returns the page of the physics gallery.
func Gallery(l Look) []byte { return fill("gallery.html", l) }

func fill(name string, l Look) []byte {
	var b bytes.Buffer
	if err := pages.ExecuteTemplate(&b, name, l); err != nil {
		panic(err) // the template is ours
	}
	return b.Bytes()
}

// File returns a file of the page by its name.
func File(name string) ([]byte, bool) {
	switch path.Ext(name) {
	case ".js", ".css":
	default:
		return nil, false // the index has holes; the lock file is nobody's business
	}
	b, err := files.ReadFile(name)
	return b, err == nil
}

// Kind returns the content type of a file.
func Kind(name string) string {
	switch path.Ext(name) {
	case ".js": // not what the system's tables make of it
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	}
	return mime.TypeByExtension(path.Ext(name))
}
