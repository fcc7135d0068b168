package authority

import (
	"strconv"
	"time"

	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/wire"
)

// greet answers a hello of a connection that has client c, or none.
func (a *Authority) greet(conn Conn, c *client, err error, now time.Duration) {
	h := &a.hello
	if err == wire.ErrProtocol {
		a.refuse(conn, wire.CodeProtocol, "server speaks protocol "+strconv.Itoa(int(wire.Protocol))+
			", client "+strconv.Itoa(int(h.Protocol))+": update the older one")
		return
	}
	if err != nil {
		a.count.Malformed++
		return
	}
	if c != nil && c.nonce == h.Nonce { // our answer was lost
		a.welcome(c, now)
		return
	}
	if a.stale(h.Nonce, conn) || a.beganLately(conn, now) {
		a.count.Duplicate++ // an old copy, or a peer that says hello for sport
		return
	}
	if code, why := a.unfit(h); code != wire.CodeNone {
		a.refuse(conn, code, why)
		return
	}
	if old := a.resumable(h); old != nil {
		if old.conn != conn && !old.gone {
			a.bye(old, wire.CodeReplaced, "resumed elsewhere")
		}
		if c != nil && c != old {
			a.drop(c)
		}
		old.says(h.Nonce, conn)
		old.heard = now
		a.start(old, conn, now)
		a.count.Resumes++
		a.welcome(old, now)
		return
	}
	if a.cfg.Approve != nil {
		if ok, why := a.cfg.Approve(h.Payload); !ok {
			a.refuse(conn, wire.CodeNotAllowed, why)
			return
		}
	}
	if c != nil {
		a.drop(c)
	}
	p := a.freePlayer()
	if p == sim.NoPlayer && len(a.leaving) > 0 {
		return // a place is free after the next tick; the client asks again
	}
	if p == sim.NoPlayer {
		a.refuse(conn, wire.CodeFull, "all "+strconv.Itoa(a.cfg.MaxPlayers)+" places are taken")
		return
	}
	c = a.newClient(conn, p, now)
	c.says(h.Nonce, conn)
	a.welcome(c, now)
}

// unfit says why a client cannot play here, in words that help.
func (a *Authority) unfit(h *wire.Hello) (wire.Code, string) {
	switch {
	case h.Game != a.g.Name():
		return wire.CodeWrongGame, "this server runs " + a.g.Name() + ", not " + h.Game
	case int(h.Hz) != a.g.Hz():
		return wire.CodeRate, "server runs " + strconv.Itoa(a.g.Hz()) + " ticks a second, client " + strconv.Itoa(int(h.Hz))
	}
	cols := a.g.Wire()
	for i, col := range cols {
		p := a.g.Plan(col)
		switch {
		case i >= len(h.Components) || h.Components[i].Name > p.Name:
			return wire.CodeComponents, "client lacks component " + p.Name
		case h.Components[i].Name < p.Name:
			return wire.CodeComponents, "server lacks component " + h.Components[i].Name
		case h.Components[i].Hash != p.Hash:
			return wire.CodeComponents, "component " + p.Name + " is declared differently"
		}
	}
	if len(h.Components) > len(cols) {
		return wire.CodeComponents, "server lacks component " + h.Components[len(cols)].Name
	}
	if h.Version != a.g.Version() {
		return wire.CodeVersion, "effects or rules differ: build client and server from the same source"
	}
	return wire.CodeNone, ""
}

// stale reports whether a hello began a session that another has followed.
func (a *Authority) stale(nonce uint64, conn Conn) bool {
	for _, c := range a.clients {
		if c.said(nonce, conn) {
			return true
		}
	}
	return false
}

// resumable returns whose session a hello goes on with: his who has the token,
// or who said this very hello on a connection that broke before the answer came.
func (a *Authority) resumable(h *wire.Hello) *client {
	for _, c := range a.clients {
		if h.Token != 0 && c.token == h.Token || c.gone && h.Nonce != 0 && c.nonce == h.Nonce {
			return c
		}
	}
	return nil
}

// freePlayer returns the lowest free player number. One who leaves in the
// coming tick still has his.
func (a *Authority) freePlayer() sim.Player {
	for p := sim.Player(1); int(p) <= a.cfg.MaxPlayers; p++ {
		taken := a.byPlayer(p) != nil
		for _, l := range a.leaving {
			taken = taken || l == p
		}
		if !taken {
			return p
		}
	}
	return sim.NoPlayer
}

func (a *Authority) welcome(c *client, now time.Duration) {
	t, frac := a.position(now)
	m := wire.Welcome{
		Nonce: c.nonce, Session: c.session, Player: uint16(c.player), Token: c.token, Seed: a.cfg.Seed,
		Tick: uint32(t), Frac: frac, SnapshotEvery: uint8(c.every),
	}
	a.w.Reset(a.w.Bytes()[:0])
	m.Append(&a.w)
	a.emit(c.conn, wire.ProtocolSalt)
}

func (a *Authority) refuse(conn Conn, code wire.Code, reason string) {
	a.count.Refused++
	m := wire.Refuse{Nonce: a.hello.Nonce, Code: code, Reason: reason}
	a.w.Reset(a.w.Bytes()[:0])
	m.Append(&a.w)
	a.emit(conn, wire.ProtocolSalt)
}
