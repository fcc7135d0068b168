//go:build !js

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/foretick/foretick/client"
	"github.com/foretick/foretick/replica"
	"github.com/foretick/foretick/server"
	"github.com/foretick/foretick/transport"
	"github.com/foretick/foretick/web"
)

func (a *app) demo(args []string) error {
	var (
		o    serverFlags
		bots int
		wasm string
		open bool
	)
	f := a.flags("demo", "run a server, bots, and a page to play in, until interrupted")
	f.StringVar(&o.addr, "addr", "localhost:7777", "`host:port` of the page")
	f.IntVar(&bots, "bots", 4, "number of bots")
	f.StringVar(&wasm, "wasm", "", "`file` of this program built with GOOS=js GOARCH=wasm; empty: build it now")
	f.BoolVar(&open, "open", false, "open the page in a browser")
	o.secure(f)
	linkFlags(f, &o.link)
	if err := a.parse(f, args); err != nil {
		return err
	}
	if a.bot == nil {
		bots = 0
	}
	certs, err := o.certificates()
	if err != nil {
		return err
	}
	l, err := a.listen(o.addr)
	if err != nil {
		return err
	}
	defer l.Close()
	p, err := a.makePage(wasm, bots)
	if err != nil {
		return err
	}
	u := a.datagrams(&o, l.Addr())
	cfg := o.config(certs)
	cfg.Page, cfg.Debug = p, true
	s := server.New(a.game, cfg)
	ctx, stop := context.WithCancel(a.ctx)
	var work sync.WaitGroup
	for range bots {
		work.Go(func() { a.houseBot(ctx, s) })
	}
	a.seat(s, bots)
	at := address(scheme("http", certs), l.Addr())
	fmt.Fprintf(a.out, "%s with %d bots: open %s\n", a.game.Name(), bots, at)
	draw, _ := a.game.Drawing()
	if scene, _ := a.game.Staging(); scene == nil && draw == nil {
		fmt.Fprintln(a.out, "this game draws nothing: see Game.Scene, Game.Draw and Game.Keys")
	}
	if open {
		a.openBrowser(at)
	}
	err = a.until(s, l, u)
	stop()
	work.Wait()
	return err
}

// houseBot plays in this process, through a real client.
func (a *app) houseBot(ctx context.Context, s *server.Server) {
	playBot(ctx, "", a.game, client.Config{
		Replica: replica.Config{Bot: a.bot},
		Connect: func(context.Context) (transport.Conn, error) { return s.Hub().DialMemory() },
	})
}

// seat waits until the bots have come in, so that they have the first numbers.
func (a *app) seat(s *server.Server, bots int) {
	for begun := time.Now(); s.Stats().Players < bots && time.Since(begun) < seatTime && a.ctx.Err() == nil; {
		time.Sleep(10 * time.Millisecond)
	}
}

// seatTime is long for bots of this process, even on a bad simulated link.
const seatTime = 2 * time.Second

// openBrowser tries to; the address has been printed anyway.
func (a *app) openBrowser(at string) {
	name, args := "xdg-open", []string{at}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", at}
	}
	cmd := exec.Command(name, args...)
	if err := cmd.Start(); err != nil {
		fmt.Fprintf(a.out, "no browser can be opened from here: %v\n", err)
		return
	}
	go cmd.Wait()
}

// makePage gets what the page is made of.
func (a *app) makePage(wasm string, bots int) (*page, error) {
	look := web.Look{Name: a.game.Name(), Bots: bots}
	three, err := a.three()
	if err != nil {
		look.NoThree = err.Error()
		fmt.Fprintf(a.out, "the page will be flat: %v\n", err)
	}
	if wasm == "" && Program != nil && web.Support() != nil {
		return newPage(a.ctx, look, three, Program, web.Support()), nil
	}
	support, err := wasmSupport(a.ctx)
	if err != nil {
		return nil, err
	}
	if wasm != "" {
		b, err := os.ReadFile(wasm)
		if err != nil {
			return nil, err
		}
		return newPage(a.ctx, look, three, b, support), nil
	}
	began := time.Now()
	fmt.Fprint(a.out, "building the page's program (the first time it takes a minute) ... ")
	b, err := buildWasm(a.ctx)
	if err != nil {
		fmt.Fprintln(a.out)
		return nil, err
	}
	p := newPage(a.ctx, look, three, b, support)
	fmt.Fprintf(a.out, "%.1f MB, %.1f MB compressed, in %.1f s\n",
		float64(len(b))/1e6, float64(p.files["/game.wasm"].least())/1e6, time.Since(began).Seconds())
	return p, nil
}

// Program is this very program compiled for the browser, if it was built into
// it: then demo needs no Go to be there. See cmd/foretick.
var Program []byte

// three gets three.js for a game that has a use for it.
func (a *app) three() (map[string][]byte, error) {
	if scene, _ := a.game.Staging(); scene == nil {
		return nil, errors.New("the game has no scene, see Game.Scene")
	}
	return web.Three(a.ctx, a.out)
}

// wasmSupport reads the script that comes with Go and has to be of the version
// that built the program.
func wasmSupport(ctx context.Context) ([]byte, error) {
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, errors.New("the page needs the go command to be built: install Go, or put it on the PATH")
	}
	return os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
}

func lastLine(out string, err error) string {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if last := lines[len(lines)-1]; last != "" {
		return last
	}
	return err.Error()
}
