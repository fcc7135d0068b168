package impair

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"
	"time"
)

const ms = time.Millisecond

// arrival is one delivered packet: its ordinal, when sent and when delivered.
type arrival struct {
	id       uint64
	sent, at time.Duration
	size     int
}

// play sends n packets of size bytes every step and collects the deliveries at
// their exact times.
func play(l *Link, n, size int, step time.Duration) []arrival {
	var out []arrival
	buf := make([]byte, size)
	collect := func(until time.Duration) {
		for {
			at, ok := l.Next()
			if !ok || at > until {
				return
			}
			p, ok := l.Deliver(at)
			if !ok {
				panic("Next promised a packet")
			}
			id := binary.LittleEndian.Uint64(p)
			out = append(out, arrival{id, time.Duration(id) * step, at, len(p)})
		}
	}
	for i := range n {
		now := time.Duration(i) * step
		collect(now)
		binary.LittleEndian.PutUint64(buf, uint64(i))
		l.Send(buf, now)
	}
	collect(math.MaxInt64)
	return out
}

func moments(as []arrival) (mean, sd float64, least, most time.Duration) {
	least = math.MaxInt64
	var sum, sq float64
	for _, a := range as {
		d := a.at - a.sent
		least, most = min(least, d), max(most, d)
		x := float64(d) / float64(ms)
		sum += x
		sq += x * x
	}
	n := float64(len(as))
	return sum / n, math.Sqrt(sq/n - sum/n*sum/n), least, most
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > within {
		t.Errorf("%s: %.4f, want %.4f ± %.4f", what, got, want, within)
	}
}

func TestPerfectLink(t *testing.T) {
	as := play(New(Config{}, 1), 1000, 100, 10*ms)
	if len(as) != 1000 {
		t.Fatalf("%d of 1000 delivered", len(as))
	}
	for i, a := range as {
		if a.id != uint64(i) || a.at != a.sent || a.size != 100 {
			t.Fatalf("packet %d: %+v", i, a)
		}
	}
}

func TestDelayAndJitter(t *testing.T) {
	as := play(New(Config{Delay: 75 * ms, Jitter: 20 * ms}, 2), 50000, 8, ms)
	mean, sd, least, most := moments(as)
	near(t, "mean", mean, 75, 0.4)
	near(t, "sd", sd, 19.8, 0.4) // cutting at three deviations takes 1 %
	if least < 15*ms || most > 135*ms || least > 20*ms || most < 130*ms {
		t.Errorf("range %v to %v, cut is at 15 and 135 ms", least, most)
	}
	inside := 0
	for _, a := range as {
		if d := a.at - a.sent; d > 55*ms && d < 95*ms {
			inside++
		}
	}
	near(t, "within one sd", float64(inside)/50000, 0.6827, 0.01)

	// Cut at zero: half a normal distribution, mean sd*sqrt(2/pi).
	mean, _, least, _ = moments(play(New(Config{Jitter: 20 * ms}, 3), 50000, 8, ms))
	near(t, "half-normal mean", mean, 15.9, 0.4)
	if least < 0 {
		t.Errorf("delivered %v before it was sent", -least)
	}
}

func TestLossRates(t *testing.T) {
	l := New(Config{Loss: 0.1}, 4)
	got := play(l, 50000, 8, ms)
	near(t, "loss", 1-float64(len(got))/50000, 0.1, 0.005)
	if c := l.Counters(); c.Lost != 50000-uint64(len(got)) || c.Delivered != uint64(len(got)) {
		t.Errorf("%+v", c)
	}
	for p, want := range map[float64]int{1: 0, 2: 0, -1: 1000, math.NaN(): 1000} {
		if n := len(play(New(Config{Loss: p}, 4), 1000, 8, ms)); n != want {
			t.Errorf("loss %v: %d delivered, want %d", p, n, want)
		}
	}
}

// gaps returns the lengths of runs of missing ids.
func gaps(as []arrival) (runs []float64) {
	next := uint64(0)
	for _, a := range as {
		if a.id > next {
			runs = append(runs, float64(a.id-next))
		}
		next = a.id + 1
	}
	return runs
}

func meanOf(xs []float64) float64 {
	s := 0.0
	for _, x := range xs {
		s += x
	}
	return s / float64(len(xs))
}

func TestBursts(t *testing.T) {
	runs := gaps(play(New(Config{BurstLoss: 0.005, BurstLen: 8}, 5), 200000, 8, ms))
	near(t, "mean burst", meanOf(runs), 8, 0.7)
	near(t, "bursts per good packet", float64(len(runs))/(200000-8*float64(len(runs))), 0.005, 0.0005)
	// Control: the same share of packets lost singly has runs of about one.
	near(t, "mean run of random loss", meanOf(gaps(play(New(Config{Loss: 0.04}, 5), 200000, 8, ms))), 1.04, 0.02)
}

func TestDuplicates(t *testing.T) {
	l := New(Config{Delay: 50 * ms, Jitter: 10 * ms, Duplicate: 0.2}, 6)
	as := play(l, 20000, 8, ms)
	near(t, "share", float64(len(as))/20000-1, 0.2, 0.01)
	times := map[uint64]int{}
	for _, a := range as {
		times[a.id]++
	}
	for id, n := range times {
		if n > 2 {
			t.Fatalf("packet %d came %d times", id, n)
		}
	}
	if c := l.Counters(); int(c.Duplicated) != len(as)-20000 || len(times) != 20000 {
		t.Errorf("%+v, %d different", c, len(times))
	}
}

func TestReorder(t *testing.T) {
	l := New(Config{Delay: 30 * ms, Reorder: 0.05, ReorderBy: 25 * ms, InOrder: true}, 7)
	as := play(l, 20000, 8, 10*ms)
	n := 0
	for _, a := range as {
		switch a.at - a.sent {
		case 55 * ms:
			n++
		case 30 * ms:
		default:
			t.Fatalf("%+v", a)
		}
	}
	near(t, "held", float64(n)/20000, 0.05, 0.006)
	if c := l.Counters(); c.Reordered == 0 || int(c.Reordered) > n {
		t.Errorf("%d reordered of %d held", c.Reordered, n)
	}
}

func inOrder(as []arrival) bool {
	return slices.IsSortedFunc(as, func(a, b arrival) int { return int(int64(a.id) - int64(b.id)) })
}

func TestInOrder(t *testing.T) {
	c := Config{Delay: 50 * ms, Jitter: 20 * ms}
	if as := play(New(c, 8), 2000, 8, 5*ms); inOrder(as) {
		t.Error("control: 20 ms jitter at 5 ms spacing never overtook")
	}
	c.InOrder = true
	if as := play(New(c, 8), 2000, 8, 5*ms); !inOrder(as) || len(as) != 2000 {
		t.Error("overtaken although in order")
	}
}

func TestBandwidth(t *testing.T) {
	l := New(Config{Delay: 20 * ms, Bandwidth: 50_000, QueueLimit: 5000}, 9)
	as := play(l, 20000, 100, ms) // 100 kB/s into 50 kB/s
	last := as[len(as)-1]
	near(t, "bytes/s", float64(len(as)*100)/(last.at-20*ms).Seconds(), 50_000, 50)
	if _, _, least, most := moments(as); least < 22*ms || most > 120*ms || most < 118*ms {
		t.Errorf("%v to %v, want 22 ms (alone) to 120 ms (full queue)", least, most)
	}
	if c := l.Counters(); int(c.QueueDrops) != 20000-len(as) || !inOrder(as) {
		t.Errorf("%+v", c)
	}
	l = New(Config{Bandwidth: 50_000, QueueLimit: 5000}, 9)
	if as := play(l, 1000, 100, 10*ms); len(as) != 1000 { // a fifth of the bandwidth
		t.Errorf("%d delivered", len(as))
	}
}

func TestStalls(t *testing.T) {
	l := New(Config{Delay: 10 * ms, Stalls: []Stall{{100 * ms, 200 * ms}}}, 10)
	as := play(l, 100, 8, 10*ms)
	if len(as) != 100 || !inOrder(as) {
		t.Fatalf("%d delivered", len(as))
	}
	for _, a := range as {
		want := a.sent + 10*ms
		if want >= 100*ms && want < 300*ms {
			want = 300 * ms
		}
		if a.at != want {
			t.Fatalf("sent %v, delivered %v, want %v", a.sent, a.at, want)
		}
	}
	// A stall that is set while packets are on their way holds them.
	l = New(Config{Delay: 10 * ms}, 10)
	l.Send([]byte{1}, 0)
	l.Set(Config{Stalls: []Stall{{5 * ms, 50 * ms}}})
	if _, ok := l.Deliver(54 * ms); ok {
		t.Error("delivered in a stall")
	}
	if _, ok := l.Deliver(55 * ms); !ok {
		t.Error("not delivered after it")
	}
	// Random ones: 100 ms in every second, each at its own place.
	as = play(New(Config{StallEvery: time.Second, StallFor: 100 * ms}, 11), 100000, 8, ms)
	held, starts := 0, map[time.Duration]bool{}
	for _, a := range as {
		if a.at != a.sent {
			held++
			starts[a.at%time.Second] = true
		}
		if a.at-a.sent > 200*ms {
			t.Fatalf("held %v", a.at-a.sent)
		}
	}
	near(t, "held", float64(held)/100000, 0.1, 0.002)
	if len(starts) < 80 {
		t.Errorf("%d different places in 100 periods", len(starts))
	}
}

func TestWiFi(t *testing.T) {
	as := play(New(Config{WiFi: true, Jitter: 10 * ms}, 12), 20000, 8, 500*ms) // far apart: order does not matter
	mean, _, _, _ := moments(as)
	spikes := 0
	for _, a := range as {
		if a.at-a.sent > 20*ms {
			spikes++
		}
	}
	near(t, "spikes", float64(spikes)/20000, 0.1, 0.006) // (10-1)/90
	near(t, "mean", mean, 1-0.5*(1-math.Exp(-1))+0.1*90, 0.4)
	if !inOrder(play(New(Config{WiFi: true, Jitter: 10 * ms}, 12), 5000, 8, 5*ms)) {
		t.Error("Wi-Fi overtook")
	}
	mean, _, _, most := moments(play(New(Config{WiFi: true}, 12), 20000, 8, 500*ms))
	if most > 12*ms {
		t.Errorf("a spike of %v without jitter, mean %v", most, mean)
	}
}
