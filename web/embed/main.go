// Embed gets what a program with the tag embedpage has in it: three.js by npm,
// the script of Go's WebAssembly, and as WebAssembly the foretick command and
// the physics gallery. It runs in the directory web:
//
//	go generate ./web && go build -tags embedpage ./cmd/foretick
package main

import (
	"context"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/foretick/foretick/internal/wasmpack"
	"github.com/foretick/foretick/web"
)

func main() {
	log.SetFlags(0)
	three, err := web.Three(context.Background(), os.Stdout)
	check(err)
	check(os.MkdirAll("built", 0o755))
	for name, b := range three {
		check(os.WriteFile(filepath.Join("built", name), b, 0o644))
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	check(err)
	script, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	check(err)
	check(os.WriteFile(filepath.Join("built", "wasm_exec.js"), script, 0o644))
	program("../cmd/foretick", filepath.Join("..", "cmd", "foretick", "game.wasm"))
	program("../cmd/gallery", filepath.Join("built", "gallery.wasm"))
}

// program compiles a main package for the browser and packs it.
func program(main, to string) {
	// Not to its place: go build leaves a file that is of the same build as it is.
	dir, err := os.MkdirTemp("", "foretick")
	check(err)
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "program.wasm")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", file, main)
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=")
	build.Stderr = os.Stderr
	check(build.Run())
	b, err := os.ReadFile(file)
	check(err)
	packed, err := wasmpack.Pack(b)
	check(err)
	check(os.WriteFile(to, packed, 0o644))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
