package server_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/foretick/foretick/authority"
	"github.com/foretick/foretick/examples/pucks"
	"github.com/foretick/foretick/impair"
	"github.com/foretick/foretick/server"
	"github.com/foretick/foretick/snapshot"
	"github.com/foretick/foretick/tick"
)

// open runs a server on a socket and returns it and its address.
func open(t *testing.T, cfg server.Config) (*server.Server, string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := server.New(pucks.Game, cfg)
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	t.Cleanup(func() {
		s.Close("over")
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return s, l.Addr().String()
}

func watch(t *testing.T, addr, origin string) (*websocket.Conn, int, error) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Second)
	defer stop()
	h := http.Header{}
	if origin != "" {
		h.Set("Origin", origin)
	}
	ws, resp, err := websocket.Dial(ctx, "ws://"+addr+server.TruthPath, &websocket.DialOptions{HTTPHeader: h})
	code := 0
	if resp != nil {
		code = resp.StatusCode
	}
	if ws != nil {
		ws.SetReadLimit(1 << 20)
		t.Cleanup(func() { ws.CloseNow() })
	}
	return ws, code, err
}

// A watcher sees the server's own world, tick after tick, whatever the link
// simulator does to players, and a watcher that reads nothing disturbs neither
// him nor the match.
func TestTruth(t *testing.T) {
	lossy := &impair.Config{Delay: 200 * time.Millisecond, Loss: 0.5}
	s, addr := open(t, server.Config{Debug: true, Up: lossy, Down: lossy})
	c, err := s.Hub().DialMemory()
	if err != nil {
		t.Fatal(err)
	}
	go play(bot(), c, time.Now(), 2*time.Second)
	if _, _, err := watch(t, addr, "http://"+addr); err != nil { // reads nothing
		t.Fatal(err)
	}
	ws, _, err := watch(t, addr, "http://"+addr)
	if err != nil {
		t.Fatal(err)
	}
	w := pucks.Game.NewWorld()
	var last tick.Tick
	together, compared := 0, 0
	for i := range 90 {
		_, b, err := ws.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		n, err := snapshot.ReadPicture(pucks.Game, b, w)
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 && n == last+1 {
			together++
		}
		if i > 0 && !n.After(last) {
			t.Fatalf("tick %d after %d", n, last)
		}
		last = n
		why := ""
		s.Do(func(a *authority.Authority) {
			if f, ok := a.History().At(n); ok {
				compared++
				var mine snapshot.Frame
				mine.Build(pucks.Game, n, w, nil)
				why = differ(&mine, f)
			}
		})
		if why != "" {
			t.Fatalf("tick %d: %s", n, why)
		}
	}
	if together < 60 || compared < 60 {
		t.Errorf("%d of 90 pictures follow the one before, %d compared", together, compared)
	}
}

func differ(mine, f *snapshot.Frame) string {
	if !slices.Equal(mine.IDs, f.IDs) || !slices.Equal(mine.Owners, f.Owners) {
		return "other entities than the server's"
	}
	for k := range f.IDs {
		if !slices.Equal(mine.Words(k), f.Words(k)) {
			return "an entity is not as the server has it"
		}
	}
	return ""
}

// What is for the server's own page is for nobody else, in bounds, and not
// there at all unless it is asked for.
func TestDebugRefuses(t *testing.T) {
	s, addr := open(t, server.Config{Debug: true})
	_, plain := open(t, server.Config{})
	c, _ := s.Hub().DialMemory()
	r := bot()
	play(r, c, time.Now(), time.Second)
	own := "http://" + addr
	session := strconv.FormatUint(r.Session(), 16)
	for _, x := range []struct {
		addr, method, origin, session, every string
		want                                 int
	}{
		{addr, "POST", own, session, "6", http.StatusNoContent},
		{addr, "POST", "http://evil.example", session, "6", http.StatusForbidden},
		{addr, "POST", "", session, "6", http.StatusForbidden},
		{addr, "POST", "null", session, "6", http.StatusForbidden},
		{addr, "GET", own, session, "6", http.StatusMethodNotAllowed},
		{addr, "POST", own, "1", "6", http.StatusNotFound},
		{addr, "POST", own, "", "6", http.StatusBadRequest},
		{addr, "POST", own, session, "0", http.StatusBadRequest},
		{addr, "POST", own, session, "-5", http.StatusBadRequest},
		{addr, "POST", own, session, "61", http.StatusBadRequest},
		{addr, "POST", own, session, "NaN", http.StatusBadRequest},
		{addr, "POST", own, session, "99999999999999999999", http.StatusBadRequest},
		{addr, "POST", own, session, strings.Repeat("6", 1<<20), http.StatusBadRequest},
		{plain, "POST", "http://" + plain, session, "6", http.StatusNotFound},
	} {
		body := url.Values{"session": {x.session}, "every": {x.every}}.Encode()
		req, _ := http.NewRequest(x.method, "http://"+x.addr+server.SnapshotsPath, strings.NewReader(body))
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if x.origin != "" {
			req.Header.Set("Origin", x.origin)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != x.want {
			t.Errorf("%s from %q for every %.20s: %s, want %d", x.method, x.origin, x.every, resp.Status, x.want)
		}
	}
	http.DefaultClient.CloseIdleConnections()
	var before, after authority.ClientCounters
	s.Do(func(a *authority.Authority) { before = a.ClientCounters(1) })
	play(r, c, time.Now().Add(-time.Second), time.Second)
	s.Do(func(a *authority.Authority) { after = a.ClientCounters(1) })
	if n := after.Snapshots - before.Snapshots; n < 8 || n > 12 {
		t.Errorf("%d snapshots in a second after 10 were asked for", n)
	}

	for _, origin := range []string{"http://evil.example", "", "null"} {
		if _, code, err := watch(t, addr, origin); err == nil || code != http.StatusForbidden {
			t.Errorf("the truth for %q: %d, %v", origin, code, err)
		}
	}
	if _, code, err := watch(t, plain, "http://"+plain); err == nil || code != http.StatusNotFound {
		t.Errorf("the truth of a server that does not debug: %d, %v", code, err)
	}
	full := 0
	for range 20 {
		if _, code, err := watch(t, addr, own); code == http.StatusServiceUnavailable {
			full++
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if full != 12 {
		t.Errorf("%d of 20 watchers are refused", full)
	}
}

// The end of the server ends the watchers.
func TestTruthEnds(t *testing.T) {
	s, addr := open(t, server.Config{Debug: true})
	ws, _, err := watch(t, addr, "http://"+addr)
	if err != nil {
		t.Fatal(err)
	}
	go s.Close("over")
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Second)
	defer stop()
	for err == nil {
		_, _, err = ws.Read(ctx)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		t.Error("it goes on")
	}
}

// A page that came under another name of this machine, which a stranger gave
// it, is of no origin of ours, and no page of a stranger's holds ours.
func TestRebound(t *testing.T) {
	_, addr := open(t, server.Config{Debug: true})
	_, plain := open(t, server.Config{})
	port := addr[strings.LastIndex(addr, ":"):]
	for _, x := range []struct {
		addr, host string
		want       int
	}{
		{addr, "evil.example" + port, http.StatusForbidden},
		{addr, "localhost.evil.example", http.StatusForbidden},
		{addr, "127.0.0.1" + port, http.StatusOK},
		{addr, "localhost" + port, http.StatusOK},
		{addr, "[::1]" + port, http.StatusOK},
		{plain, "play.example", http.StatusOK}, // behind a proxy
	} {
		req, _ := http.NewRequest("GET", "http://"+x.addr+"/", nil)
		req.Host = x.host
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != x.want {
			t.Errorf("as %s: %s, want %d", x.host, resp.Status, x.want)
		}
		if got := resp.Header.Get("Content-Security-Policy"); got != "frame-ancestors 'none'" {
			t.Errorf("as %s: framing is %q", x.host, got)
		}
	}
	http.DefaultClient.CloseIdleConnections()
}
