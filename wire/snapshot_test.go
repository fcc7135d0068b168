package wire

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/foretick/foretick/bits"
)

func sampleHead() *SnapshotHead {
	return &SnapshotHead{
		Header: Header{Seq: 65535, HasAck: true, Ack: 2, AckBits: 0xfffffffffffffffb},
		Tick:   3, Part: 1, Last: true, HasInput: true, InputNewest: 6, Margin: -9, Fill: -2,
		ExecFrom: 65530, Executed: []Executed{AsSent, AsSent, Repeated, Repeated, Neutral, Frozen, AsSent},
		EffectsFrom: 65533, EffectsThrough: 3,
		Effects: []Effect{
			{After: 1, Entity: 0x00070001, Kind: 2, Data: [4]int32{1, -100, 40000, math.MinInt32}},
			{After: 1, Entity: 0x00070001, Kind: 2, Ordinal: 1},
			{After: 6, Entity: 0xffffffff, Kind: 255, Ordinal: 255},
		},
	}
}

func TestFitEffects(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawHead(t)
		if m.EffectsFrom == m.EffectsThrough {
			return
		}
		extra := drawEffects(t, 1) // up to twice MaxEffects, the surplus in tick 1
		m.Effects = append(extra, m.Effects...)
		all := append([]Effect{}, m.Effects...)
		through := m.EffectsThrough
		budget := rapid.IntRange(0, 12000).Draw(t, "budget")
		dropped := m.FitEffects(budget)

		bare := *m
		bare.Effects, bare.EffectsFrom, bare.EffectsThrough = nil, m.Tick, m.Tick
		var with, without bits.Writer
		m.Append(&with)
		bare.Append(&without)
		if n := with.Len() - without.Len(); budget >= 79 && n > budget {
			t.Fatalf("takes %d of %d bits", n, budget)
		}
		n := len(m.Effects)
		if n > MaxEffects || equal(all[:n], m.Effects) != "" {
			t.Fatal("not the oldest")
		}
		said := m.EffectsThrough - m.EffectsFrom
		for i, e := range all[n:] { // those not sent are later, or counted
			if later := e.After > said; later == (i < dropped) {
				t.Fatalf("effect of tick %d neither sent nor left, %d said, %d dropped", e.After, said, dropped)
			}
		}
		if n == len(all) && m.EffectsThrough != through {
			t.Fatal("all fit, yet fewer ticks were said")
		}
	})
}

func TestSnapshotNotCanonical(t *testing.T) {
	// A head up to its executed inputs, the rest by hand.
	head := func() *bits.Writer {
		var w bits.Writer
		writeKind(&w, KindSnapshot)
		new(Header).writeHeader(&w)
		w.Bits(100, 16)
		w.Uvar(0)
		w.Bits(0, 4)
		return &w
	}
	noEffects := func(w *bits.Writer) { w.Svar(0); w.Uvar(0); w.Uvar(0) }
	noExecuted := func(w *bits.Writer) { w.Uvar(0) }
	effect := func(w *bits.Writer, gap uint64) {
		w.Uvar(gap)
		w.Bits(1, 32)
		w.Bits(0, 6)
	}
	runs := func(n uint64, runs ...uint64) func(w *bits.Writer) {
		return func(w *bits.Writer) {
			w.Uvar(n)
			w.Svar(-5)
			w.Bool(false)
			for i := 0; i < len(runs); i += 2 {
				w.Bits(runs[i], 2)
				w.Uvar(runs[i+1] - 1)
			}
			noEffects(w)
		}
	}
	for name, c := range map[string]struct {
		write func(w *bits.Writer)
		want  error
	}{
		"control":              {runs(5, 0, 2, 1, 3), nil},
		"all as sent, in runs": {runs(5, 0, 5), bits.ErrCanonical},
		"one run as two":       {runs(5, 1, 2, 1, 3), bits.ErrCanonical},
		"a run too long":       {runs(5, 0, 2, 1, 4), ErrBound},
		"too many executed":    {func(w *bits.Writer) { w.Uvar(MaxExecuted + 1); w.Bits(0, 64) }, ErrBound},
		"tick too far":         {func(w *bits.Writer) { noExecuted(w); w.Svar(1 << 15); w.Uvar(0); w.Uvar(0) }, ErrBound},
		"span too long":        {func(w *bits.Writer) { noExecuted(w); w.Svar(0); w.Uvar(1 << 16); w.Uvar(0) }, ErrBound},
		"an effect":            {func(w *bits.Writer) { noExecuted(w); w.Svar(0); w.Uvar(2); w.Uvar(1); effect(w, 2) }, nil},
		"effect too late":      {func(w *bits.Writer) { noExecuted(w); w.Svar(0); w.Uvar(2); w.Uvar(1); effect(w, 3) }, ErrBound},
		"effect too early":     {func(w *bits.Writer) { noExecuted(w); w.Svar(0); w.Uvar(2); w.Uvar(1); effect(w, 0) }, ErrBound},
		"too many effects":     {func(w *bits.Writer) { noExecuted(w); w.Svar(0); w.Uvar(2); w.Uvar(65); w.Bits(0, 64) }, ErrBound},
		"effects missing":      {func(w *bits.Writer) { noExecuted(w); w.Svar(0); w.Uvar(2); w.Uvar(60); effect(w, 1) }, bits.ErrShort},
	} {
		w := head()
		c.write(w)
		var m SnapshotHead
		var r bits.Reader
		r.Reset(w.Bytes())
		if err := m.Parse(&r); err != c.want {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}
