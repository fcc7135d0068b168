package wasmpack

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// unpack is the unpacker in Go.
func unpack(t *testing.T, src []byte) (dst []byte) {
	t.Helper()
	count := func(n int) int {
		if n == 15 {
			for {
				b := src[0]
				src = src[1:]
				n += int(b)
				if b != 255 {
					break
				}
			}
		}
		return n
	}
	for {
		token := src[0]
		src = src[1:]
		n := count(int(token >> 4))
		dst = append(dst, src[:n]...)
		if src = src[n:]; len(src) == 0 {
			return dst
		}
		back := int(src[0]) | int(src[1])<<8
		src = src[2:]
		for range count(int(token&15)) + minMatch {
			dst = append(dst, dst[len(dst)-back])
		}
	}
}

func TestCompress(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 0))
		var src []byte
		for r.IntN(6) > 0 {
			switch r.IntN(4) {
			case 0:
				src = append(src, make([]byte, r.IntN(1000))...)
			case 1:
				for range r.IntN(600) {
					src = append(src, byte(r.Uint32()))
				}
			case 2:
				if len(src) > 0 {
					at := r.IntN(len(src))
					src = append(src, src[at:at+r.IntN(len(src)-at+1)]...)
				}
			default:
				src = append(src, bytes.Repeat([]byte("abc"), r.IntN(30000))...)
			}
		}
		packed := compress(src)
		if got := unpack(t, packed); !bytes.Equal(got, src) {
			t.Fatalf("seed %d: %d bytes became %d", seed, len(src), len(got))
		}
	}
	if n := len(compress(make([]byte, 1<<20))); n > 1<<13 {
		t.Errorf("a megabyte of zeroes in %d bytes", n)
	}
}

// A program of Go's: in a JavaScript engine the packed one starts with the very
// memory of the plain one, and says what that says.
func TestPack(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles for the browser")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node")
	}
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", file("plain.wasm"), "./testdata/hello")
	cmd.Env = append(cmd.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	plain, err := os.ReadFile(file("plain.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	packed, err := Pack(plain)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(len(plain), "bytes became", len(packed))
	if len(packed) > len(plain)*4/5 {
		t.Errorf("%d bytes became %d", len(plain), len(packed))
	}
	broken := bytes.Clone(packed) // control: one byte of the data, and the memory is another
	broken[len(broken)-1000] ^= 1
	for name, c := range map[string]struct {
		b    []byte
		same bool
	}{"packed.wasm": {packed, true}, "broken.wasm": {broken, false}} {
		if err := os.WriteFile(file(name), c.b, 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(node, "testdata/memory.js", file("plain.wasm"), file(name)).CombinedOutput()
		if same := err == nil; same != c.same {
			t.Errorf("%s: same memory %v, want %v: %s", name, same, c.same, out)
		}
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	support := filepath.Join(string(bytes.TrimSpace(root)), "lib", "wasm", "wasm_exec_node.js")
	out, err := exec.Command(node, support, file("packed.wasm")).CombinedOutput()
	if err != nil || string(out) != "hello\n" {
		t.Errorf("it said %q, %v", out, err)
	}
	if _, err := Pack(packed); err == nil {
		t.Error("packed twice")
	}
	garbage(t, plain)
}

// garbage of any kind is refused or packed, not panicked at.
func garbage(t *testing.T, plain []byte) {
	t.Helper()
	small := plain[:4000]
	for n := 0; n < len(small); n += 1 + n/20 {
		if _, err := Pack(plain[:n]); err == nil {
			t.Fatalf("the first %d bytes were packed", n)
		}
	}
	data := bytes.LastIndex(plain, []byte{0x0b, 0x01}) // somewhere in the code
	r := rand.New(rand.NewPCG(1, 1))
	for range 3 {
		b := bytes.Clone(plain)
		for range 5 {
			b[r.IntN(max(1000, data))] ^= byte(1 << r.IntN(8))
		}
		Pack(b)
	}
	for range 500 {
		b := bytes.Clone(small)
		b[len(header)+r.IntN(len(b)-len(header))] ^= byte(1 << r.IntN(8))
		Pack(b)
	}
}
