//go:build !js

package cli_test

import (
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/foretick/foretick/cli"
	"github.com/foretick/foretick/examples/pucks"
	"github.com/foretick/foretick/sim"
)

// What makes no sense is answered with one line that says what to do.
func TestMistakes(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, c := range []struct {
		args string
		code int
		want []string
	}{
		{"serv", 2, []string{`"serv"`, "serve"}},
		{"serve -port 7", 2, []string{"-port", "mygame serve -h"}},
		{"serve 7777", 2, []string{`"7777"`, "mygame serve -h"}},
		{"bot -rtt fast", 2, []string{"fast", "150ms"}},
		{"bot -loss 20", 2, []string{"20", "10%"}},
		{"bot -url ws://127.0.0.1:1/", 1, []string{"127.0.0.1:1", "refused"}},
		{"serve -addr " + taken.Addr().String(), 1, []string{"in use", "-addr"}},
		{"demo -addr " + taken.Addr().String(), 1, []string{"in use", "-addr"}},
		{"serve -addr nonsense", 1, []string{"nonsense", "host:port"}},
		{"demo -addr 127.0.0.1:0 -wasm nowhere", 1, []string{"nowhere"}},
		{"serve -cert a.pem", 2, []string{"-cert", "-key"}},
		{"serve -cert a.pem -key b.pem -acme play.example", 2, []string{"-cert", "-acme"}},
		{"demo -cert nowhere.pem -key nowhere.pem", 1, []string{"certificate", "nowhere.pem"}},
	} {
		var out, errs bytes.Buffer
		code := cli.Run(t.Context(), pucks.Game, pucks.Bot, append([]string{"/bin/mygame"}, strings.Fields(c.args)...), &out, &errs)
		said := errs.String()
		if code != c.code || strings.Count(said, "\n") != 1 || !strings.HasPrefix(said, "mygame: ") {
			t.Errorf("%s: code %d: %q, want code %d and a line", c.args, code, said, c.code)
		}
		for _, w := range c.want {
			if !strings.Contains(said, w) {
				t.Errorf("%s: %q does not mention %q", c.args, said, w)
			}
		}
	}
}

func TestHelp(t *testing.T) {
	for args, want := range map[string]string{"help": "mygame demo", "-h": "mygame demo", "bot -h": "-seconds", "serve --help": "-addr"} {
		var out, errs bytes.Buffer
		code := cli.Run(t.Context(), pucks.Game, pucks.Bot, append([]string{"mygame"}, strings.Fields(args)...), &out, &errs)
		if code != 0 || errs.Len() > 0 || !strings.Contains(out.String(), want) {
			t.Errorf("%s: code %d, %q, %q", args, code, out.String(), errs.String())
		}
	}
	var out, errs bytes.Buffer
	if code := cli.Run(t.Context(), pucks.Game, pucks.Bot, []string{"mygame"}, &out, &errs); code != 2 || !strings.Contains(errs.String(), "mygame demo") {
		t.Errorf("nothing asked: code %d, %q", code, errs.String())
	}
}

// Where UDP is taken the game is played over WebSocket, and the server says so.
func TestPortTakenForDatagrams(t *testing.T) {
	for range 20 { // until TCP is free where UDP is taken
		u, err := net.ListenPacket("udp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithTimeout(t.Context(), 200*time.Millisecond)
		var out, errs bytes.Buffer
		code := cli.Run(ctx, pucks.Game, nil, []string{"s", "serve", "-addr", u.LocalAddr().String()}, &out, &errs)
		stop()
		u.Close()
		if code != 0 {
			continue
		}
		if said := out.String(); !strings.Contains(said, "no WebTransport at") || !strings.Contains(said, "WebSocket") ||
			!strings.Contains(said, "in use") || strings.Contains(said, "takes WebTransport") {
			t.Errorf("%q, %q", said, errs.String())
		}
		return
	}
	t.Fatal("no such port")
}

// A game without a bot has a demo for one.
func TestNoBot(t *testing.T) {
	g := sim.New("solitaire", 60)
	var out, errs bytes.Buffer
	if code := cli.Run(t.Context(), g, nil, []string{"s", "bot"}, &out, &errs); code != 1 || !strings.Contains(errs.String(), "no bot") {
		t.Errorf("code %d, %q", code, errs.String())
	}
	ctx, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer stop()
	wasm := t.TempDir() + "/game.wasm"
	if err := os.WriteFile(wasm, []byte("no program"), 0o600); err != nil {
		t.Fatal(err)
	}
	out.Reset()
	errs.Reset()
	if code := cli.Run(ctx, g, nil, []string{"s", "demo", "-addr", "127.0.0.1:0", "-wasm", wasm}, &out, &errs); code != 0 ||
		!strings.Contains(out.String(), "with 0 bots: open http://127.0.0.1:") ||
		!strings.Contains(out.String(), "draws nothing: see Game.Scene") || errs.String() != "game solitaire has no Join: players get no entity\n" {
		t.Errorf("code %d, %q, %q", code, out.String(), errs.String())
	}
}

// What would double the page's program stays out of it.
func TestWasmStaysSmall(t *testing.T) {
	list := exec.Command("go", "list", "-deps", "github.com/foretick/foretick/cmd/foretick")
	list.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range strings.Fields(string(out)) {
		switch p {
		case "fmt", "log", "os", "net", "net/http", "encoding/json", "crypto/rand", "html/template", "github.com/coder/websocket":
			t.Errorf("the page's program has %s", p)
		}
	}
	if !strings.Contains(string(out), "foretick/replica") {
		t.Error("the list of packages is not one")
	}
	dir := t.TempDir()
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", dir+"/game.wasm", "github.com/foretick/foretick/cmd/foretick")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	info, err := os.Stat(dir + "/game.wasm")
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes", info.Size())
	if info.Size() > 4_000_000 {
		t.Errorf("%d bytes, want at most 4 MB", info.Size())
	}
}
