//go:build !js

package transport

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// The browser's client, as WebAssembly in node, against the native server.
func TestBrowserClient(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	wasm := filepath.Join(t.TempDir(), "client.wasm")
	build := exec.Command("go", "test", "-c", "-o", wasm, ".")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	h := NewHub(HubConfig{})
	url := serve(t, h)
	ended := make(chan Conn, 8)
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	go func() {
		for {
			select {
			case c := <-h.Accept():
				go answer(c)
				ended <- c
			case <-ctx.Done():
				return
			}
		}
	}()

	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	run := exec.CommandContext(ctx, node, "--experimental-websocket", "--no-warnings",
		filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec_node.js"), wasm,
		"-test.run=TestBrowserEnd", "-test.v")
	run.Env = append(os.Environ(), "FORETICK_ECHO="+url)
	out, err := run.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestBrowserEnd") {
		t.Fatalf("%v\n%s", err, out)
	}
	endedBy(t, <-ended, Closed{ByUs, "because: you asked"})
	endedBy(t, <-ended, Closed{ByPeer, "the tab 7 closes"})
}

// answer echoes packets and obeys the orders of TestBrowserEnd.
func answer(c Conn) {
	for {
		select {
		case <-c.Ready():
		case <-c.Done():
			return
		}
		c.Drain(func(p []byte) {
			switch string(p) {
			case "burst":
				for i := range 300 {
					c.Send([]byte(strconv.Itoa(i)))
					time.Sleep(time.Millisecond)
				}
			case "oversize me":
				c.(*socket).ws.Write(context.Background(), websocket.MessageBinary, make([]byte, MaxPacket+1))
			case "close me":
				c.Send([]byte("last words"))
				c.Close("because: you asked")
			default:
				c.Send(p)
			}
		})
	}
}
