//go:build js

package transport

import (
	"context"
	"errors"
	"syscall/js"

	"github.com/foretick/foretick/internal/limit"
)

// browserSocket is the browser's own WebSocket or WebTransport. Packets pass
// through the ring in shim.js; nothing there calls Go for a packet.
type browserSocket struct {
	core
	shim                        js.Value
	take, send, batch, outgoing js.Value
	event                       js.Func
	opened                      chan struct{}

	buf []byte // the packets of one take
}

// maxBuffered, bytes: what the browser may hold of ours before our own queue,
// in which the newest wins, begins. Twenty inputs.
const maxBuffered = 4096

// DialWebSocket connects to a Hub at a ws or wss URL. The context bounds the
// handshake only; without a deadline it is given ten seconds. Do not call it
// from a JavaScript callback: it waits.
func DialWebSocket(ctx context.Context, url string) (Conn, error) {
	return dialShim(ctx, "foretickSocket", url, WebSocket, maxBuffered)
}

// DialWebTransport connects to a Hub at a https URL. hashes are the SHA-256 sums
// of the certificates to accept; without any the browser's authorities decide.
// The context is as with DialWebSocket.
func DialWebTransport(ctx context.Context, url string, hashes ...[32]byte) (Conn, error) {
	if js.Global().Get("WebTransport").IsUndefined() {
		return nil, errors.New("transport: this browser has no WebTransport here: it needs https or localhost")
	}
	all := js.Global().Get("Uint8Array").New(32 * len(hashes))
	for i := range hashes {
		js.CopyBytesToJS(all.Call("subarray", 32*i), hashes[i][:])
	}
	return dialShim(ctx, "foretickDatagrams", url, WebTransport, all)
}

func dialShim(ctx context.Context, maker, url string, carrier Carrier, last any) (Conn, error) {
	s, err := newBrowserSocket(maker, url, carrier, last)
	if err != nil {
		return nil, err
	}
	late, stop := limit.After(dialTimeout)
	defer stop()
	if _, ok := ctx.Deadline(); ok {
		late = nil
	}
	select {
	case <-s.opened:
		return s, nil
	case <-s.done:
		return nil, errors.New("transport: " + url + ": " + s.end.Reason)
	case <-ctx.Done():
		s.Close("dial given up")
		return nil, ctx.Err()
	case <-late:
		s.Close("dial given up")
		return nil, errors.New("transport: " + url + ": no answer")
	}
}

// shim returns one of the functions of shim.js.
func shim(name string) js.Value {
	f := js.Global().Get(name)
	if f.IsUndefined() {
		js.Global().Call("eval", Shim)
		f = js.Global().Get(name)
	}
	return f
}

// discover asks a http or https URL where its server takes WebTransport.
func discover(ctx context.Context, url string) (Endpoint, error) {
	done := make(chan struct{})
	var event js.Func
	event = js.FuncOf(func(js.Value, []js.Value) any {
		close(done)
		event.Release()
		return nil
	})
	f := shim("foretickFetch").Invoke(url, event)
	select {
	case <-done:
	case <-ctx.Done():
		return Endpoint{}, ctx.Err()
	}
	if !f.Get("ok").Bool() {
		return Endpoint{}, errNoOffer
	}
	return ParseEndpoint(f.Get("text").String())
}

func newBrowserSocket(maker, url string, carrier Carrier, last any) (s *browserSocket, err error) {
	defer func() {
		if e, ok := recover().(js.Error); ok { // a URL it does not like, or no WebSocket
			s, err = nil, errors.New("transport: "+url+": "+e.Error())
		}
	}()
	s = &browserSocket{opened: make(chan struct{})}
	s.init(url, carrier)
	s.ready = nil
	s.event = js.FuncOf(func(js.Value, []js.Value) any {
		s.changed()
		return nil
	})
	s.shim = shim(maker).Invoke(url, s.event, MaxPacket, InboxPackets, OutboxPackets, last)
	// Looked up once: a call by name costs ten times an Invoke.
	s.take, s.send = s.shim.Get("take"), s.shim.Get("send")
	s.batch, s.outgoing = s.shim.Get("batch"), s.shim.Get("out")
	return s, nil
}

// changed runs when the connection opened and when it closed.
func (s *browserSocket) changed() {
	if !s.shim.Get("closed").Bool() {
		close(s.opened)
		return
	}
	reason := s.shim.Get("reason").String()
	switch {
	case s.shim.Get("text").Bool():
		s.finish(ByUs, "text messages are refused", nil)
	case !s.shim.Get("clean").Bool() && s.shim.Get("opened").Bool():
		s.finish(Lost, "connection lost", nil)
	case !s.shim.Get("clean").Bool():
		s.finish(Lost, "cannot connect", nil) // the browser does not say why
	case reason == "":
		s.finish(ByPeer, "no reason given", nil)
	default:
		s.finish(ByPeer, reason, nil)
	}
	s.event.Release()
}

func (s *browserSocket) Send(packet []byte) {
	if !rightSize(packet) {
		s.badSize.Add(1)
		return
	}
	if s.ended() {
		return
	}
	js.CopyBytesToJS(s.outgoing, packet)
	s.send.Invoke(len(packet))
}

func (s *browserSocket) Drain(f func(packet []byte)) int {
	n := s.take.Invoke().Int()
	if n <= 0 {
		return 0
	}
	if len(s.buf) < n {
		s.buf = make([]byte, n+n/2)
	}
	b := s.buf[:n]
	js.CopyBytesToGo(b, s.batch)
	packets := 0
	for len(b) > 2 {
		size := int(b[0]) | int(b[1])<<8
		f(b[2 : 2+size : 2+size])
		b = b[2+size:]
		packets++
	}
	return packets
}

func (s *browserSocket) Close(reason string) error {
	reason = cleanReason(reason)
	if s.finish(ByUs, reason, nil) {
		s.shim.Call("close", reason)
	}
	return nil
}

func (s *browserSocket) Stats() Stats {
	get := func(name string) uint64 { return uint64(s.shim.Get(name).Int()) }
	return Stats{
		Sent: get("sent"), SentBytes: get("sentBytes"),
		Received: get("received"), ReceivedBytes: get("receivedBytes"),
		Replaced: get("replaced"), Overrun: get("overrun"),
		BadSize: get("badSize") + s.badSize.Load(),
	}
}
