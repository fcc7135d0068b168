package link

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

var nearWrap uint16 = 65535 - 99 // 100 short of the wrap

type header struct {
	seq, ack uint16
	has      bool
	bits     uint64
	from     int // ordinal
}

func send(l *Link, now time.Duration) header {
	s, a, h, b := l.Send(now)
	return header{seq: s, ack: a, has: h, bits: b}
}

func receive(l *Link, h header, now time.Duration) (bool, []uint16) {
	return l.Receive(h.seq, h.ack, h.has, h.bits, now)
}

func TestFirstPacketsAndWrap(t *testing.T) {
	a, b := New(nearWrap), New(nearWrap)
	var acked int
	for i := range 1000 {
		now := time.Duration(i) * 10 * time.Millisecond
		h := send(a, now)
		if want := uint16(nearWrap) + uint16(i); h.seq != want {
			t.Fatalf("seq %d, want %d", h.seq, want)
		}
		if fresh, _ := receive(b, h, now+30*time.Millisecond); !fresh {
			t.Fatalf("packet %d not fresh", i)
		}
		r := send(b, now+30*time.Millisecond)
		if !r.has || r.ack != h.seq {
			t.Fatalf("packet %d: ack %d %v, want %d", i, r.ack, r.has, h.seq)
		}
		fresh, got := receive(a, r, now+50*time.Millisecond)
		if !fresh || !slices.Equal(got, []uint16{h.seq}) {
			t.Fatalf("packet %d: fresh %v acked %v", i, fresh, got)
		}
		acked += len(got)
	}
	if a.RTT() != 50*time.Millisecond || a.Jitter() != 0 || a.MinRTT() != 50*time.Millisecond || a.Loss() != 0 {
		t.Errorf("rtt %v jitter %v min %v loss %v", a.RTT(), a.Jitter(), a.MinRTT(), a.Loss())
	}
	if c := a.Counters(); c.Acked != uint64(acked) || c.Sent != 1000 || c.AckInvalid != 0 {
		t.Errorf("%+v", c)
	}
}

// chaos plays two links over a network that loses, delays, reorders and copies,
// against a model that knows who received what.
type chaos struct {
	t        *testing.T
	seed     uint64
	rng      *rand.Rand
	ends     [2]*Link
	sent     [2][]uint16     // sequence by ordinal
	got      [2]map[int]bool // ordinals of an end's packets that reached the peer
	reported [2]map[int]bool // ordinals acknowledged to an end
	flight   [2][]header
	last     [2]header // newest one sent that had an ack
}

func TestChaosAgainstModel(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		c := &chaos{t: t, seed: seed, rng: rng,
			ends:     [2]*Link{New(nearWrap), New(uint16(rng.Uint32()))},
			got:      [2]map[int]bool{{}, {}},
			reported: [2]map[int]bool{{}, {}},
		}
		for step := range 4000 {
			now := time.Duration(step) * 5 * time.Millisecond
			c.send(rng.IntN(2), now)
			c.deliver(0, now)
			c.deliver(1, now)
		}
		for side := range 2 {
			if len(c.got[side]) < 1000 || len(c.reported[side]) < len(c.got[side])*95/100 {
				t.Errorf("seed %d: received %d, reported %d", seed, len(c.got[side]), len(c.reported[side]))
			}
			if l := c.ends[side].Loss(); l < 0.03 || l > 0.2 {
				t.Errorf("seed %d: loss %.3f at 10 %%", seed, l)
			}
		}
	}
}

func (c *chaos) send(me int, now time.Duration) {
	h := send(c.ends[me], now)
	h.from = len(c.sent[me])
	c.sent[me] = append(c.sent[me], h.seq)
	if h.has {
		if c.last[me].has && int16(h.ack-c.last[me].ack) < 0 {
			c.t.Fatalf("seed %d: ack went back", c.seed)
		}
		c.last[me] = h
		if hi, _ := c.ends[me].Highest(); hi != h.ack {
			c.t.Fatalf("seed %d: ack exceeds highest", c.seed)
		}
	}
	if c.rng.IntN(10) == 0 {
		return
	}
	c.flight[me] = append(c.flight[me], h)
	if c.rng.IntN(10) == 0 {
		c.flight[me] = append(c.flight[me], h)
	}
}

func (c *chaos) deliver(side int, now time.Duration) {
	peer := 1 - side
	for len(c.flight[side]) > 8 {
		i := c.rng.IntN(len(c.flight[side]))
		p := c.flight[side][i]
		c.flight[side] = slices.Delete(c.flight[side], i, i+1)
		fresh, acked := receive(c.ends[peer], p, now)
		if fresh == c.got[side][p.from] {
			c.t.Fatalf("seed %d: fresh %v, received before %v", c.seed, fresh, c.got[side][p.from])
		}
		c.got[side][p.from] = true
		prev := -1
		for _, s := range acked {
			ord := ordinal(c.sent[peer], s)
			switch {
			case !c.got[peer][ord]:
				c.t.Fatalf("seed %d: %d acknowledged but never received", c.seed, s)
			case c.reported[peer][ord]:
				c.t.Fatalf("seed %d: %d reported twice", c.seed, s)
			case ord <= prev:
				c.t.Fatalf("seed %d: not ascending", c.seed)
			}
			c.reported[peer][ord], prev = true, ord
		}
	}
}

// ordinal finds the newest packet numbered s.
func ordinal(sent []uint16, s uint16) int {
	for i := len(sent) - 1; i >= 0; i-- {
		if sent[i] == s {
			return i
		}
	}
	return -1
}

func TestReplayWindow(t *testing.T) {
	l := New(0)
	for i := range uint16(3000) {
		l.Receive(nearWrap+i, 0, false, 0, 0)
	}
	hi := uint16(nearWrap + 2999)
	for _, c := range []struct {
		seq  uint16
		name string
		want bool
	}{
		{hi, "newest again", false}, {hi - 1, "copy", false}, {hi - Window + 1, "oldest in window", false},
		{hi - Window, "out of window", false}, {hi - 20000, "far out", false}, {hi + maxAhead, "too far ahead", false},
		{hi + 5, "ahead", true}, {hi + 3, "a gap filled", true}, {hi + 3, "and again", false},
		{hi + 3000, "beyond the window", true}, {hi + 2999, "unseen below it", true}, {hi + 3000 - Window, "just out", false},
		{hi + 3001 - Window, "just in", true},
	} {
		if fresh, _ := l.Receive(c.seq, 0, false, 0, 0); fresh != c.want {
			t.Errorf("%s: fresh %v", c.name, fresh)
		}
	}
	if c := l.Counters(); c.Duplicate != 4 || c.Old != 4 || c.Received != 3005 {
		t.Errorf("%+v", c)
	}
}

func TestHostileAcks(t *testing.T) {
	l := New(nearWrap)
	if _, acked := l.Receive(0, nearWrap, true, 0, 0); len(acked) != 0 {
		t.Fatal("acknowledged before anything was sent")
	}
	first, _, _, _ := l.Send(0)
	for i, c := range []struct {
		ack  uint16
		bits uint64
	}{{first + 1, 0}, {first - 1, 0}, {first, 1}, {first + 0x7fff, 0}, {first + 0x8000, ^uint64(0)}} {
		if _, acked := l.Receive(uint16(i)+1, c.ack, true, c.bits, 0); len(acked) != 0 {
			t.Errorf("case %d acknowledged %v", i, acked)
		}
	}
	if c := l.Counters(); c.AckInvalid != 6 || c.Acked != 0 {
		t.Errorf("%+v", c)
	}
	if _, acked := l.Receive(100, first, true, 0, 5); !slices.Equal(acked, []uint16{first}) {
		t.Errorf("honest one: %v", acked)
	}
	for range 2 * Window { // an acknowledgement that comes after the ring has turned
		l.Send(0)
	}
	if _, acked := l.Receive(101, first+1, true, 0, 5); len(acked) != 0 || l.Counters().AckOld != 1 {
		t.Errorf("old: %v %+v", acked, l.Counters())
	}
}

func TestRTTFollows(t *testing.T) {
	l := New(0)
	at := time.Duration(0)
	feed := func(d time.Duration, n int) {
		for range n {
			at += 50 * time.Millisecond
			l.AddRTTSample(d, at)
		}
	}
	feed(-1, 1)
	if l.RTT() != 0 || l.MinRTT() != 0 {
		t.Fatal("a negative sample counted")
	}
	feed(20*time.Millisecond, 100)
	feed(100*time.Millisecond, 100)
	if l.RTT() < 99*time.Millisecond || l.MinRTT() != 20*time.Millisecond {
		t.Errorf("rtt %v min %v", l.RTT(), l.MinRTT())
	}
	feed(100*time.Millisecond, 120) // 11 s in all: the 20 ms are forgotten
	if l.MinRTT() != 100*time.Millisecond {
		t.Errorf("min %v", l.MinRTT())
	}
	for i := range 400 {
		feed(100*time.Millisecond+time.Duration(i%2*2-1)*10*time.Millisecond, 1)
	}
	if j := l.Jitter(); j < 8*time.Millisecond || j > 12*time.Millisecond {
		t.Errorf("jitter %v, want about 10 ms", j)
	}
}

func TestNoAllocation(t *testing.T) {
	a, b := New(nearWrap), New(0)
	now := time.Duration(0)
	n := testing.AllocsPerRun(1000, func() {
		now += 16 * time.Millisecond
		receive(b, send(a, now), now)
		receive(a, send(b, now), now)
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}
