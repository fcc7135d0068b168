package impair

import (
	"slices"
	"time"
)

// queue is the bottleneck: packets leave it at the configured bandwidth or at
// the opportunities of a trace, first in first out. Because nothing later can
// overtake, the time a packet leaves is known when it enters.
type queue struct {
	busy time.Duration // when the last packet has left

	// Those that have not left, to count their bytes: a ring.
	waiting []departure
	head    int
	count   int
	bytes   int

	// The trace's current opportunity and what it still lets pass.
	loop int64
	line int
	left int
	open bool
}

type departure struct {
	at   time.Duration
	size int
}

// restart forgets the place in the trace, not the packets that wait.
func (q *queue) restart() { q.open = false }

// pass returns when a packet of size bytes leaves, or false if it is dropped.
func (q *queue) pass(p *plan, size int, now time.Duration) (time.Duration, bool) {
	if p.Bandwidth == 0 && p.Trace == nil {
		q.busy = max(q.busy, now)
		if q.busy > now { // still draining what a former configuration queued
			return q.busy, true
		}
		return now, true
	}
	q.drain(now)
	if q.count == MaxInFlight || p.QueueLimit > 0 && q.bytes+size > p.QueueLimit {
		return 0, false
	}
	start := max(now, q.busy)
	if p.Trace != nil {
		q.busy = q.opportunity(p, size, start)
	} else {
		q.busy = start + time.Duration(int64(size)*int64(time.Second)/int64(p.Bandwidth))
	}
	q.enter(departure{q.busy, size})
	return q.busy, true
}

func (q *queue) drain(now time.Duration) {
	for q.count > 0 && q.waiting[q.head].at <= now {
		q.bytes -= q.waiting[q.head].size
		q.head = (q.head + 1) % len(q.waiting)
		q.count--
	}
}

func (q *queue) enter(d departure) {
	if q.waiting == nil {
		q.waiting = make([]departure, MaxInFlight)
	}
	q.waiting[(q.head+q.count)%len(q.waiting)] = d
	q.count++
	q.bytes += d.size
}

// opportunity spends size bytes of the trace's opportunities, from start on,
// and returns the time of the last one. What is left of one serves whoever
// comes before its millisecond has passed.
func (q *queue) opportunity(p *plan, size int, start time.Duration) time.Duration {
	tr, t := p.Trace, start+p.TraceStart
	if !q.open || tr.time(q.loop, q.line) < t {
		q.open = true
		q.loop, q.line = tr.seek(t)
		q.left = traceBytes
	}
	for size > q.left {
		size -= q.left
		q.left = traceBytes
		q.line++
		if q.line == len(tr.ms) {
			q.line = 0
			q.loop++
		}
	}
	q.left -= size
	return max(tr.time(q.loop, q.line)-p.TraceStart, start)
}

// time returns when a line's opportunity is, in the given loop.
func (tr *Trace) time(loop int64, line int) time.Duration {
	return time.Duration(loop)*tr.period + time.Duration(tr.ms[line])*time.Millisecond
}

// seek finds the first opportunity at t or later.
func (tr *Trace) seek(t time.Duration) (loop int64, line int) {
	loop = int64(t / tr.period)
	into := t - time.Duration(loop)*tr.period
	ms := uint32((into + time.Millisecond - 1) / time.Millisecond)
	line, _ = slices.BinarySearch(tr.ms, ms)
	return loop, line // the last line is the period, so there is one
}
