package impair

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

var everything = Config{
	Delay: 40 * ms, Jitter: 15 * ms, Loss: 0.05, BurstLoss: 0.01, BurstLen: 5, Duplicate: 0.05, Reorder: 0.05,
	ReorderBy: 30 * ms, Bandwidth: 20_000, QueueLimit: 3000, StallEvery: time.Second, StallFor: 50 * ms,
}

func TestSameSeedSameResult(t *testing.T) {
	a := play(New(everything, 42), 5000, 100, 4*ms)
	b := play(New(everything, 42), 5000, 100, 4*ms)
	c := play(New(everything, 43), 5000, 100, 4*ms)
	if !slices.Equal(a, b) {
		t.Error("the same seed differs")
	}
	if slices.Equal(a, c) {
		t.Error("another seed does not")
	}
	// The same bits on every machine: a fold of all times, fixed once.
	h := uint64(0)
	for _, x := range a {
		h = mix(h ^ x.id ^ uint64(x.at)<<20)
	}
	if h != 0xedd3fb949fc1c926 {
		t.Errorf("hash %#x: the network has changed", h)
	}
}

func ids(as []arrival) []uint64 {
	var out []uint64
	for _, a := range as {
		out = append(out, a.id)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func TestFeaturesDoNotDisturbEachOther(t *testing.T) {
	c := Config{Loss: 0.2, Delay: 50 * ms}
	a := ids(play(New(c, 7), 2000, 8, ms))
	c.Duplicate, c.Reorder, c.ReorderBy, c.Jitter = 0.3, 0.2, 40*ms, 10*ms
	if b := ids(play(New(c, 7), 2000, 8, ms)); !slices.Equal(a, b) {
		t.Error("duplication and jitter changed what is lost")
	}
}

func TestSetLive(t *testing.T) {
	l := New(RTT(100*ms), 1)
	l.Send([]byte{1}, 0)
	l.Set(Config{Loss: 1})
	l.Send([]byte{2}, ms)
	l.Set(Config{Delay: 10 * ms})
	l.Send([]byte{3}, 2*ms)
	var got []byte
	var at []time.Duration
	for {
		next, ok := l.Next()
		if !ok {
			break
		}
		p, _ := l.Deliver(next)
		got, at = append(got, p[0]), append(at, next)
	}
	if !slices.Equal(got, []byte{3, 1}) || !slices.Equal(at, []time.Duration{12 * ms, 50 * ms}) {
		t.Errorf("%v at %v", got, at)
	}
}

func TestBounded(t *testing.T) {
	l := New(Config{Delay: time.Hour, Duplicate: 1}, 1)
	for range 3 * MaxInFlight {
		l.Send([]byte{1}, 0)
	}
	l.Send(make([]byte, MaxPacket+1), 0)
	if c := l.Counters(); l.InFlight() != MaxInFlight || c.QueueDrops != 3*MaxInFlight-MaxInFlight/2+1 {
		t.Errorf("%d in flight, %+v", l.InFlight(), c)
	}
	// Nonsense does no harm.
	l = New(Config{Delay: -1, Jitter: math.MaxInt64, Loss: math.NaN(), BurstLen: math.Inf(1), BurstLoss: 0.1, Bandwidth: -5,
		StallEvery: 1, StallFor: math.MaxInt64, Trace: &Trace{}, Pings: &Pings{}}, 1)
	l.Send([]byte{1}, 0)
	l.Next()
}

func TestOrderOfTies(t *testing.T) {
	l := New(Config{Delay: ms}, 1)
	for i := range byte(200) {
		l.Send([]byte{i}, 0)
	}
	for i := range byte(200) {
		if p, ok := l.Deliver(ms); !ok || p[0] != i {
			t.Fatalf("%d: %v %v", i, p, ok)
		}
	}
}

func TestNoAllocation(t *testing.T) {
	c := everything
	c.Stalls = []Stall{{time.Second, 100 * ms}}
	l := New(c, 1)
	buf := make([]byte, 200)
	now := time.Duration(0)
	turn := func() {
		now += 5 * ms
		l.Send(buf, now)
		for _, ok := l.Deliver(now); ok; _, ok = l.Deliver(now) {
		}
	}
	for range 5000 {
		turn()
	}
	if n := testing.AllocsPerRun(2000, turn); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestSyntheticTrace(t *testing.T) {
	tr, err := ParseMahimahi([]byte("0\n0\n10\n\n50\r\n100\n"))
	if err != nil || tr.Len() != 5 || tr.Period() != 100*ms || tr.LongestGap() != 50*ms {
		t.Fatalf("%v %+v", err, tr)
	}
	l := New(Config{Trace: tr, Delay: ms}, 1)
	as := play(l, 8, 1500, 0) // eight full packets at once: one per line, then it loops
	var at []time.Duration
	for _, a := range as {
		at = append(at, a.at-ms)
	}
	if want := []time.Duration{0, 0, 10 * ms, 50 * ms, 100 * ms, 100 * ms, 100 * ms, 110 * ms}; !slices.Equal(at, want) {
		t.Errorf("left at %v, want %v", at, want)
	}
	// Small packets share an opportunity, a large one takes two.
	l = New(Config{Trace: tr, TraceStart: 5 * ms}, 1)
	l.Send(make([]byte, 700), 0)
	l.Send(make([]byte, 800), 0)
	l.Send(make([]byte, 1600), 0)
	for _, want := range []time.Duration{5 * ms, 5 * ms, 95 * ms} {
		if at, _ := l.Next(); at != want {
			t.Errorf("at %v, want %v", at, want)
		}
		l.Deliver(time.Second)
	}
}

func TestBadTraces(t *testing.T) {
	for _, s := range []string{"", "0\n", "5\n3\n", "x\n", "-1\n", "1.5\n", "99999999999\n"} {
		if tr, err := ParseMahimahi([]byte(s)); err == nil {
			t.Errorf("%q parsed: %+v", s, tr)
		}
	}
	line := func(stamp, seq, time string) string {
		return "[" + stamp + "] 64 bytes from x: icmp_seq=" + seq + " ttl=63 time=" + time + " ms\n"
	}
	for _, s := range []string{"", "PING\n", line("1.0", "1", "5"), line("1.0", "1", "5") + line("2.0", "9999999", "5"),
		line("1", "1", "nan") + line("2", "2", "nan"), line("2", "1", "5") + line("1", "2", "5")} {
		if p, err := ParsePings([]byte(s)); err == nil {
			t.Errorf("%q parsed: %+v", s, p)
		}
	}
	p, err := ParsePings([]byte("PING\n" + line("1.010", "7", "10") + line("1.040", "10", "10") + line("1.0401", "9", "20")))
	if err != nil || p.Len() != 4 || p.Interval().Round(time.Microsecond) != 10*ms {
		t.Fatalf("%v %+v", err, p)
	}
	if _, ok := p.At(1); ok {
		t.Error("a lost one has a time")
	}
	if d, ok := p.At(2); !ok || d != 20*ms {
		t.Error("an overtaken one is lost")
	}
}

func FuzzTraces(f *testing.F) {
	f.Add([]byte("0\n10\n20\n"))
	f.Add([]byte("[1.5] 64 bytes from x: icmp_seq=1 ttl=63 time=144 ms\n[1.6] 64 bytes from x: icmp_seq=3 ttl=63 time=14.5 ms\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := Config{}
		c.Trace, _ = ParseMahimahi(data)
		c.Pings, _ = ParsePings(data)
		l := New(c, 1)
		for i := range 20 {
			now := time.Duration(i) * 30 * ms
			l.Send(make([]byte, 1000), now)
			if at, ok := l.Next(); ok && at < 0 {
				t.Fatal("before time")
			}
			l.Deliver(now)
		}
	})
}

// recorded reads a recorded link from beside the project.
func recorded(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "shared", "data", "traces", name))
	if err != nil {
		if os.Getenv("CI_DATA") == "required" {
			t.Fatalf("recorded links are required here: %v", err)
		}
		t.Skipf("no recorded links beside the project, skipped: %v", err)
	}
	return data
}

func TestRealMahimahi(t *testing.T) {
	for _, c := range []struct {
		name   string
		period time.Duration
		gap    time.Duration
	}{
		{"mahimahi-ATT-LTE-driving-2016.down", 120 * time.Second, 1100 * ms},
		{"mahimahi-ATT-LTE-driving-2016.up", 120 * time.Second, 4100 * ms},
		{"mahimahi-TMobile-UMTS-driving.down", 928 * time.Second, 5800 * ms},
		{"mahimahi-TMobile-UMTS-driving.up", 931 * time.Second, 0},
	} {
		tr, err := ParseMahimahi(recorded(t, c.name))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if d := tr.Period() - c.period; d < 0 || d > time.Second {
			t.Errorf("%s: %v long", c.name, tr.Period())
		}
		if g := tr.LongestGap(); c.gap > 0 && (g < c.gap-100*ms || g > c.gap+100*ms) {
			t.Errorf("%s: longest gap %v, want about %v", c.name, g, c.gap)
		}
		// 60 packets/s of 200 bytes for twice the recording: all pass, in order,
		// the worst delay is about the longest gap.
		n := int(2 * tr.Period() * 60 / time.Second)
		as := play(New(Config{Trace: tr}, 1), n, 200, time.Second/60)
		_, _, _, most := moments(as)
		if len(as) != n || !inOrder(as) || most < tr.LongestGap()*9/10 || most > 3*tr.LongestGap() {
			t.Errorf("%s: %d of %d, worst delay %v, longest gap %v", c.name, len(as), n, most, tr.LongestGap())
		}
	}
}

func TestRealPings(t *testing.T) {
	p, err := ParsePings(recorded(t, "starlink-isl-ping-10ms.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if p.Len() != 10337 {
		t.Errorf("%d pings", p.Len())
	}
	l := New(Config{Pings: p}, 1)
	as := play(l, p.Len(), 8, p.Interval()+1)
	near(t, "loss", float64(l.Counters().Lost)/10337, 0.033, 0.001)
	var d []time.Duration
	for _, a := range as {
		d = append(d, 2*(a.at-a.sent))
	}
	slices.Sort(d)
	if p50, p99 := d[len(d)/2], d[len(d)*99/100]; p50 < 150*ms || p50 > 152*ms || p99 < 215*ms || p99 > 219*ms {
		t.Errorf("RTT p50 %v p99 %v", p50, p99)
	}
}
