// Package docs holds the documentation to what is there.
package docs

import (
	"encoding/xml"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "../.."

// pages calls f with every page of the module.
func pages(t *testing.T, ext string, f func(path, text string)) {
	t.Helper()
	n := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git"):
			return filepath.SkipDir
		case filepath.Ext(path) != ext:
			return nil
		}
		b, err := os.ReadFile(path)
		n++
		f(path, string(b))
		return err
	})
	if err != nil || n == 0 {
		t.Fatalf("%d pages: %v", n, err)
	}
}

var (
	code = regexp.MustCompile("(?s:```.*?```)|(?m:^\t.*$)|`[^`\n]*`")
	link = regexp.MustCompile(`\]\(([^)\s]+)\)`)
)

// broken returns the links of a page that lead nowhere.
func broken(path, text string) (bad []string) {
	for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(text, "code"), -1) {
		to, _, _ := strings.Cut(m[1], "#")
		if to == "" || strings.Contains(to, "://") {
			continue
		}
		if _, err := os.Stat(filepath.Join(filepath.Dir(path), to)); err != nil {
			bad = append(bad, m[1])
		}
	}
	return bad
}

func TestLinks(t *testing.T) {
	pages(t, ".md", func(path, text string) {
		for _, b := range broken(path, text) {
			t.Errorf("%s: a link to %s, which is not there", path, b)
		}
	})
	if got := broken(root+"/README.md", "[a](go.mod) [b](nowhere.md)"); len(got) != 1 || got[0] != "nowhere.md" {
		t.Errorf("of a good and a bad link %v are bad", got)
	}
}

// A drawing that is no XML is not shown at all.
func TestDrawings(t *testing.T) {
	pages(t, ".svg", func(path, text string) {
		d := xml.NewDecoder(strings.NewReader(text))
		for {
			_, err := d.Token()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				t.Errorf("%s: %v", path, err)
				return
			}
		}
	})
}
