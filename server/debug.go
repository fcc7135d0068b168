package server

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/coder/websocket"
	"github.com/foretick/foretick/authority"
)

// Where a server with Config.Debug answers pages of its own origin.
const (
	// TruthPath is a WebSocket that sends a picture (snapshot.ReadPicture) of the
	// server's world after every tick, past any simulated link. A watcher that
	// is slow misses pictures and gets the newest.
	TruthPath = "/debug/truth"

	// SnapshotsPath takes a form with session (replica.Session, in hexadecimal)
	// and every: how many ticks apart this session's snapshots are to be, from 1
	// to a second's.
	SnapshotsPath = "/debug/snapshots"
)

// debug shows a match to who develops it.
type debug struct {
	n       atomic.Int32 // of watchers: so that a tick that nobody watches costs nothing
	mu      sync.Mutex
	all     map[*watcher]struct{}
	over    bool
	size    int // of the last picture
	serving sync.WaitGroup
}

// watcher is one WebSocket. The tick leaves its picture here, whatever became
// of the one before.
type watcher struct {
	newest atomic.Pointer[[]byte]
	wake   chan struct{}
	stop   context.CancelFunc
}

func newDebug() *debug { return &debug{all: map[*watcher]struct{}{}} }

// publish gives everyone the world after a tick. It waits for nobody.
func (d *debug) publish(a *authority.Authority) {
	if d == nil || d.n.Load() == 0 {
		return
	}
	f, ok := a.History().At(a.Now())
	if !ok {
		return
	}
	picture := f.AppendPicture(make([]byte, 0, d.size))
	d.size = len(picture)
	if len(picture) > maxPicture {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for w := range d.all {
		w.put(&picture)
	}
}

func (w *watcher) put(picture *[]byte) {
	w.newest.Store(picture)
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// enter makes a watcher, nil if there are enough.
func (d *debug) enter(stop context.CancelFunc) *watcher {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.over || len(d.all) >= maxWatchers {
		return nil
	}
	w := &watcher{wake: make(chan struct{}, 1), stop: stop}
	d.all[w] = struct{}{}
	d.n.Store(int32(len(d.all)))
	d.serving.Add(1)
	return w
}

func (d *debug) leave(w *watcher) {
	d.mu.Lock()
	delete(d.all, w)
	d.n.Store(int32(len(d.all)))
	d.mu.Unlock()
	d.serving.Done()
}

// close sends the watchers away and waits for them.
func (d *debug) close() {
	if d == nil {
		return
	}
	d.mu.Lock()
	d.over = true
	for w := range d.all {
		w.stop()
	}
	d.mu.Unlock()
	d.serving.Wait()
}

// rebound reports whether a browser reached this machine's own address by some
// other name, which a stranger may have given it: then his page would count as
// of the same origin.
func rebound(r *http.Request) bool {
	at, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if !ok || !at.IP.IsLoopback() {
		return false
	}
	return !isLocal(r.Host)
}

// isLocal reports whether a host, with or without a port, names this machine.
func isLocal(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}

// serve answers what belongs to debugging, and reports whether it did.
func (d *debug) serve(s *Server, w http.ResponseWriter, r *http.Request) bool {
	truth := r.URL.Path == TruthPath
	switch {
	case !truth && r.URL.Path != SnapshotsPath:
		return false
	case d == nil:
		http.NotFound(w, r)
	case !sameOrigin(r):
		http.Error(w, "only for this server's own page", http.StatusForbidden)
	case truth:
		d.serveTruth(w, r)
	default:
		serveSnapshots(s, w, r)
	}
	return true
}

// sameOrigin reports whether a page of this server asks. Who sends no origin is
// no page.
func sameOrigin(r *http.Request) bool {
	u, err := url.Parse(r.Header.Get("Origin"))
	return err == nil && u.Host != "" && strings.EqualFold(u.Host, r.Host)
}

func (d *debug) serveTruth(w http.ResponseWriter, r *http.Request) {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	me := d.enter(stop)
	if me == nil {
		http.Error(w, "there are "+strconv.Itoa(maxWatchers)+" watchers already", http.StatusServiceUnavailable)
		return
	}
	defer d.leave(me)
	ws, err := websocket.Accept(w, r, nil)
	if err != nil {
		return // it has answered
	}
	defer ws.CloseNow()
	ctx = ws.CloseRead(ctx) // a watcher has nothing to say
	for {
		select {
		case <-ctx.Done():
			return
		case <-me.wake:
		}
		if err := me.write(ctx, ws); err != nil {
			return
		}
	}
}

func (w *watcher) write(ctx context.Context, ws *websocket.Conn) error {
	picture := w.newest.Swap(nil)
	if picture == nil {
		return nil // it was there when the last one was taken
	}
	ctx, stop := context.WithTimeout(ctx, watcherWrite)
	defer stop()
	return ws.Write(ctx, websocket.MessageBinary, *picture)
}

func serveSnapshots(s *Server, w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "ask with POST", http.StatusMethodNotAllowed)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	session, err := strconv.ParseUint(r.PostFormValue("session"), 16, 64)
	every, err2 := strconv.Atoi(r.PostFormValue("every"))
	if err != nil || err2 != nil || every < 1 || every > s.game.Hz() {
		http.Error(w, "want a session, and 1 to "+strconv.Itoa(s.game.Hz())+" ticks", http.StatusBadRequest)
		return
	}
	found := false
	s.Do(func(a *authority.Authority) { found = a.SetSnapshotEvery(session, every) })
	if !found {
		http.Error(w, "no such session", http.StatusNotFound)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
