package authority

import (
	"time"

	"github.com/foretick/foretick/internal/fault"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
	"github.com/foretick/foretick/wire"
)

// send makes the packets of state now for one client, within his budget.
func (a *Authority) send(c *client, now time.Duration) {
	f, ok := a.hist.At(a.now)
	if !ok {
		return
	}
	a.fillHead(c)
	a.room(c)
	if len(a.parts) == 0 {
		c.count.Skipped++
		return
	}
	parts, all := c.sender.Plan(f, c.order, a.parts)
	if parts == 0 {
		parts = 1 // acks, feedback and the clock travel even so
	}
	for k := range parts {
		a.head.Part, a.head.Last, a.head.All = uint8(k), k == parts-1, all
		a.head.JoinDone = c.sender.Joined()
		if k == 1 { // feedback and effects are told once a tick
			a.head.Executed = a.head.Executed[:0]
			a.head.ExecFrom = 0
			a.head.EffectsFrom = a.head.EffectsThrough
			a.head.Effects = a.head.Effects[:0]
		}
		a.sendPart(c, k, now)
	}
}

func (a *Authority) sendPart(c *client, k int, now time.Duration) {
	h := &a.head
	h.Seq, h.Ack, h.HasAck, h.AckBits = c.link.Send(now)
	a.w.Reset(a.w.Bytes()[:0])
	h.Append(&a.w)
	if k < len(a.parts) {
		if s := c.sender.Section(k); s != nil {
			a.w.Append(s)
		}
	}
	c.sender.Sent(k, h.Seq)
	x := &c.sent[h.Seq%sentRing]
	*x = carried{seq: h.Seq, used: true}
	if k == 0 {
		x.exec, x.execNext = true, c.execTold
		if len(h.Executed) > 0 {
			x.execNext = tick.Widen(h.ExecFrom, a.now).Add(int32(len(h.Executed)))
		}
		x.effects, x.effectsTo = true, tick.Widen(h.EffectsThrough, a.now)
	}
	n := a.emit(c.conn, wire.SessionSalt(c.session))
	if !fault.Is("inv16") {
		c.allowance -= float64(n)
	}
	c.count.Snapshots++
	c.count.Bytes += uint64(n)
}

// room lays out how many bits of entities each packet has room for.
func (a *Authority) room(c *client) {
	a.parts = a.parts[:0]
	a.head.Part = 255
	a.head.HasAck, a.head.AckBits = true, 0 // the longest header
	a.w.Reset(a.w.Bytes()[:0])
	a.head.Append(&a.w)
	used := a.w.Len()
	for left := int(c.allowance); len(a.parts) < maxParts; used = min(used, bareHead) {
		size := wire.MaxBody
		if left-wire.SealSize < size {
			size = left - wire.SealSize
		}
		room := size*8 - used
		if room < 0 {
			return
		}
		a.parts = append(a.parts, room)
		left -= wire.MaxPacket
	}
}

// fillHead sets what the packets say besides entities.
func (a *Authority) fillHead(c *client) {
	h := &a.head
	*h = wire.SnapshotHead{Tick: a.now.Wire(), Executed: h.Executed[:0], Effects: h.Effects[:0]}
	if c.hasInput {
		h.HasInput = true
		h.InputNewest = c.label.Wire()
		h.Margin = int16(c.margin)
		h.Fill = a.fillReport(c)
	}
	from := c.execTold
	most := int32(c.executed.Len() - 1)
	if most > wire.MaxExecuted {
		most = wire.MaxExecuted
	}
	if a.now.Since(from) > most {
		from = a.now.Add(-most)
	}
	h.ExecFrom = from.Wire()
	for t := from; t.Before(a.now); t++ {
		e, ok := c.executed.At(t)
		how := sim.Neutral
		if ok {
			how = e.How
		}
		h.Executed = append(h.Executed, wire.Executed(how))
	}
	if len(h.Executed) == 0 {
		h.ExecFrom = 0
	}
	a.fillEffects(c)
}

func (a *Authority) fillReport(c *client) int8 {
	if c.run > 0 {
		if c.run > 127 {
			return -127
		}
		return int8(-c.run)
	}
	n := c.fill(a.now)
	if n > 127 {
		n = 127
	}
	return int8(n)
}

func (a *Authority) fillEffects(c *client) {
	h := &a.head
	last := a.now - 1
	from := c.effects
	if last.Since(from) >= effectTicks {
		from = last.Add(-(effectTicks - 1))
	}
	h.EffectsFrom, h.EffectsThrough = from.Wire(), last.Wire()
	for t := from + 1; !t.After(last); t++ {
		es, ok := a.effects.At(t)
		if !ok {
			continue
		}
		for i := range *es {
			e := &(*es)[i]
			h.Effects = append(h.Effects, wire.Effect{
				After: uint16(t.Since(from)), Entity: e.Entity, Kind: e.Kind, Ordinal: e.Ordinal, Data: e.Data})
		}
	}
	a.count.EffectsDropped += uint64(h.FitEffects(effectBits))
}
