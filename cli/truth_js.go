package cli

import (
	"slices"
	"syscall/js"
	"time"

	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/snapshot"
	"github.com/foretick/foretick/tick"
)

// Where the server answers, as server.TruthPath and server.SnapshotsPath say:
// that package is not for browsers.
const (
	truthPath     = "/debug/truth"
	snapshotsPath = "/debug/snapshots"

	// maxQueue is how many pictures wait for a test to ask: four seconds.
	maxQueue = 240
)

// truth is the server's own world, past the simulated link. A server that is no
// demo does not tell; then there is none.
type truth struct {
	asked  bool     // by a test
	socket js.Value // zero: none
	heard  js.Func
	ended  js.Func
	opened time.Time
	buf    []byte // the newest picture
	fresh  bool   // and not read yet
	all    bool   // every picture is wanted
	queue  [][]byte
	each   *ecs.World // for those in the queue
	world  *ecs.World
	tick   tick.Tick
	known  bool
}

// want opens or closes the socket.
func (t *truth) want(ghost bool) {
	switch open := t.socket.Truthy(); {
	case (ghost || t.asked) && !open:
		t.open()
	case !ghost && !t.asked && open:
		t.socket.Call("close")
		t.end()
	}
}

func (t *truth) open() {
	if time.Since(t.opened) < time.Second {
		return
	}
	t.opened = time.Now()
	location := js.Global().Get("location")
	scheme := "ws://"
	if location.Get("protocol").String() == "https:" {
		scheme = "wss://"
	}
	t.socket = js.Global().Get("WebSocket").New(scheme + location.Get("host").String() + truthPath)
	t.socket.Set("binaryType", "arraybuffer")
	mine := t.socket
	array := js.Global().Get("Uint8Array")
	t.heard = js.FuncOf(func(_ js.Value, args []js.Value) any {
		b := array.New(args[0].Get("data"))
		if n := b.Length(); n <= cap(t.buf) {
			t.buf = t.buf[:n]
		} else {
			t.buf = make([]byte, n)
		}
		js.CopyBytesToGo(t.buf, b)
		t.fresh = true
		if t.all && len(t.queue) < maxQueue {
			t.queue = append(t.queue, slices.Clone(t.buf))
		}
		return nil
	})
	t.ended = js.FuncOf(func(js.Value, []js.Value) any {
		if t.socket.Equal(mine) {
			t.end()
		}
		return nil
	})
	t.socket.Set("onmessage", t.heard)
	t.socket.Set("onclose", t.ended)
}

// end forgets the socket.
func (t *truth) end() {
	t.socket.Set("onmessage", js.Null())
	t.socket.Set("onclose", js.Null())
	t.heard.Release()
	t.ended.Release()
	t.socket, t.known, t.fresh = js.Value{}, false, false
}

// read returns the newest picture and its tick, nil if there is none.
func (t *truth) read(g *sim.Game) (*ecs.World, tick.Tick) {
	if t.fresh {
		if t.world == nil {
			t.world = g.NewWorld()
		}
		n, err := snapshot.ReadPicture(g, t.buf, t.world)
		t.fresh, t.tick, t.known = false, n, err == nil
	}
	if !t.known {
		return nil, 0
	}
	return t.world, t.tick
}
