//go:build !js

package cli

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"

	"github.com/foretick/foretick/web"
)

// What a browser loads of a program, in bytes, and what it has to compile.
const mostLoaded, mostCompiled = 1_000_000, 3_000_000

// What Chromium sends to localhost and over https.
const chromiumAccepts = "gzip, deflate, br, zstd"

func TestProgramSize(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles for the browser")
	}
	for _, c := range []struct {
		main  string
		small bool
	}{
		{"github.com/foretick/foretick/cmd/foretick", true},
		{galleryMain, true},
		{"./testdata/hello", true},
		{"./testdata/heavy", false}, // control
	} {
		b, err := buildMain(t.Context(), c.main)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(b, []byte("\x00asm")) {
			t.Fatalf("%s is no program", c.main)
		}
		p := newPage(t.Context(), web.Look{}, nil, b, nil)
		r := httptest.NewRequest("GET", "/game.wasm", nil)
		r.Header.Set("Accept-Encoding", chromiumAccepts)
		w := httptest.NewRecorder()
		p.ServeHTTP(w, r)
		loaded := w.Body.Len()
		t.Logf("%s: %d bytes, %d as %s", c.main, len(b), loaded, w.Header().Get("Content-Encoding"))
		if small := len(b) <= mostCompiled && loaded <= mostLoaded; small != c.small {
			t.Errorf("%s: %d bytes, %d as served; may be %d and %d", c.main, len(b), loaded, mostCompiled, mostLoaded)
		}
	}
}

// No fmt, no net/http, no encoding/json: what the page links is named here, so
// that more of it is a decision.
func TestProgramImports(t *testing.T) {
	allowed := map[string]bool{}
	for _, p := range strings.Fields(`bytes cmp context embed encoding/binary errors hash hash/crc32 io io/fs iter maps math
		math/bits path reflect runtime slices sort strconv strings sync sync/atomic syscall syscall/js time unicode
		unicode/utf8 unsafe`) {
		allowed[p] = true
	}
	imports := func(main string) (more []string) {
		cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{if .Standard}}{{.ImportPath}}{{end}}", main)
		cmd.Env = append(cmd.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=")
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range strings.Fields(string(out)) {
			if !allowed[p] && !strings.HasPrefix(p, "internal/") {
				more = append(more, p)
			}
		}
		return more
	}
	for _, main := range []string{"github.com/foretick/foretick/cmd/foretick", galleryMain, "./testdata/hello"} {
		if more := imports(main); len(more) > 0 {
			t.Errorf("%s brings %q into the browser", main, more)
		}
	}
	if more := imports("./testdata/heavy"); len(more) == 0 {
		t.Error("control: the heavy program brings nothing")
	}
}

// A browser gets what it accepts, and what it does not refuse.
func TestEncodings(t *testing.T) {
	plain := bytes.Repeat([]byte("foretick "), 1000)
	p := &page{files: map[string]*served{}}
	p.add("/x", "text/plain", plain)
	p.files["/x"].packed["br"] = []byte("small")
	for accept, want := range map[string]string{
		"": "", "identity": "", "gzip": "gzip", "deflate, gzip;q=1.0": "gzip", chromiumAccepts: "br", "BR": "br",
		"br;q=0": "", "br;q=0.0, gzip": "gzip", "br;q=0.5": "br", "xgzip": "", "gzip ; q=0": "",
	} {
		r := httptest.NewRequest("GET", "/x", nil)
		r.Header.Set("Accept-Encoding", accept)
		w := httptest.NewRecorder()
		p.ServeHTTP(w, r)
		if got := w.Header().Get("Content-Encoding"); got != want || w.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("%q gave %q, want %q; %v", accept, got, want, w.Header())
		}
		body := w.Body.Bytes()
		if want == "gzip" {
			z, err := gzip.NewReader(bytes.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			body, _ = io.ReadAll(z)
		}
		if want != "br" && !bytes.Equal(body, plain) {
			t.Errorf("%q gave %d bytes, want %d", accept, len(body), len(plain))
		}
	}
}
