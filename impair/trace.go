package impair

import (
	"bytes"
	"errors"
	"strconv"
	"time"
)

// Trace is a recorded cellular link in Mahimahi's format. It loops.
type Trace struct {
	ms     []uint32
	period time.Duration
}

// Period returns the length of the recording.
func (tr *Trace) Period() time.Duration { return tr.period }

// Len returns the number of opportunities in it.
func (tr *Trace) Len() int { return len(tr.ms) }

// LongestGap returns the longest time without an opportunity.
func (tr *Trace) LongestGap() time.Duration {
	gap := tr.ms[0]
	for i := 1; i < len(tr.ms); i++ {
		gap = max(gap, tr.ms[i]-tr.ms[i-1])
	}
	return time.Duration(gap) * time.Millisecond
}

func lineError(line int, what string) error {
	return errors.New("impair: trace line " + strconv.Itoa(line) + ": " + what)
}

// ParseMahimahi reads a Mahimahi trace: each line is a millisecond, never less
// than the one before, at which 1,500 bytes may pass.
func ParseMahimahi(data []byte) (*Trace, error) {
	tr := &Trace{}
	for n := 1; len(data) > 0; n++ {
		var line []byte
		line, data, _ = bytes.Cut(data, []byte("\n"))
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		if len(tr.ms) == maxLines {
			return nil, lineError(n, "too long")
		}
		ms, err := strconv.ParseUint(string(line), 10, 31)
		if err != nil {
			return nil, lineError(n, "not a millisecond")
		}
		if k := len(tr.ms); k > 0 && uint32(ms) < tr.ms[k-1] {
			return nil, lineError(n, "goes back")
		}
		tr.ms = append(tr.ms, uint32(ms))
	}
	if len(tr.ms) == 0 || tr.ms[len(tr.ms)-1] == 0 {
		return nil, errors.New("impair: trace is empty")
	}
	tr.period = time.Duration(tr.ms[len(tr.ms)-1]) * time.Millisecond
	return tr, nil
}

// Pings is a recording of pings at even intervals. It loops.
type Pings struct {
	interval time.Duration
	rtt      []time.Duration // lost: negative
}

// Len returns the number of pings.
func (p *Pings) Len() int { return len(p.rtt) }

// Interval returns the time between two of them.
func (p *Pings) Interval() time.Duration { return p.interval }

// At returns the round trip of ping i, or false if it was lost.
func (p *Pings) At(i int) (time.Duration, bool) { return p.rtt[i], p.rtt[i] >= 0 }

func (p *Pings) at(t time.Duration) (time.Duration, bool) {
	return p.At(int(int64(t/p.interval) % int64(len(p.rtt))))
}

// NewPings makes a recording from round trips, negative where lost.
func NewPings(interval time.Duration, rtt []time.Duration) (*Pings, error) {
	if interval <= 0 || len(rtt) == 0 {
		return nil, errors.New("impair: no pings")
	}
	for _, d := range rtt {
		if d > maxTime {
			return nil, errors.New("impair: a ping took over an hour")
		}
	}
	return &Pings{interval: interval, rtt: rtt}, nil
}

// ParsePings reads the output of "ping -D": lines with a time stamp in
// brackets, icmp_seq= and time=. A number that is missing was lost, a line
// that is no answer is skipped. The interval is measured from the stamps,
// which are of arrival.
func ParsePings(data []byte) (*Pings, error) {
	var (
		rtt         []time.Duration
		first       int64
		start, last float64 // sending times in seconds
	)
	for n := 1; len(data) > 0; n++ {
		var line []byte
		line, data, _ = bytes.Cut(data, []byte("\n"))
		stamp, seq, ms, ok := parsePing(line)
		if !ok {
			continue
		}
		sent := stamp - ms/1000
		if len(rtt) == 0 {
			first, start = seq, sent
		}
		i := seq - first
		if i < int64(len(rtt)) { // overtaken, or a copy
			if i >= 0 && rtt[i] < 0 {
				rtt[i] = time.Duration(ms * 1e6)
			}
			continue
		}
		if i-int64(len(rtt)) > 1<<16 || i >= maxLines {
			return nil, lineError(n, "icmp_seq jumps too far")
		}
		for int64(len(rtt)) < i {
			rtt = append(rtt, -1)
		}
		rtt = append(rtt, time.Duration(ms*1e6))
		last = sent
	}
	if len(rtt) < 2 {
		return nil, errors.New("impair: no answered pings in the recording")
	}
	return NewPings(time.Duration((last-start)/float64(len(rtt)-1)*1e9), rtt)
}

func parsePing(line []byte) (stamp float64, seq int64, ms float64, ok bool) {
	line, found := bytes.CutPrefix(line, []byte("["))
	if !found {
		return 0, 0, 0, false
	}
	s, rest, found := bytes.Cut(line, []byte("]"))
	if !found {
		return 0, 0, 0, false
	}
	stamp, err := strconv.ParseFloat(string(s), 64)
	if err != nil {
		return 0, 0, 0, false
	}
	seq, err = strconv.ParseInt(field(rest, "icmp_seq="), 10, 32)
	if err != nil || seq < 0 {
		return 0, 0, 0, false
	}
	ms, err = strconv.ParseFloat(field(rest, "time="), 64)
	good := err == nil && ms >= 0 && ms < 3.6e6 && stamp > -1e12 && stamp < 1e12
	return stamp, seq, ms, good
}

// field returns the word after key.
func field(line []byte, key string) string {
	_, rest, _ := bytes.Cut(line, []byte(key))
	word, _, _ := bytes.Cut(rest, []byte(" "))
	return string(word)
}
