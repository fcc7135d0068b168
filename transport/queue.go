package transport

import (
	"sync"
	"time"
)

// queue is a bounded first-in-first-out of packets in which the newest replaces
// the oldest. Packets are copied in; buffers are kept, so that a warm queue
// allocates nothing.
type queue struct {
	mu      sync.Mutex
	slots   [][]byte
	at      []time.Duration // of put, since epoch, where fresh is used; or nil
	head, n int
}

// put copies packet in and reports whether the oldest had to go.
func (q *queue) put(packet []byte) (replaced bool) {
	q.mu.Lock()
	if q.n == len(q.slots) {
		q.head = (q.head + 1) % len(q.slots)
		q.n--
		replaced = true
	}
	i := (q.head + q.n) % len(q.slots)
	q.slots[i] = append(q.slots[i][:0], packet...)
	if q.at != nil {
		q.at[i] = time.Since(epoch)
	}
	q.n++
	q.mu.Unlock()
	return replaced
}

// take removes the oldest packet, in exchange for buf; if there is none it
// gives buf back.
func (q *queue) take(buf []byte) (packet []byte, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.n == 0 {
		return buf, false
	}
	packet, q.slots[q.head] = q.slots[q.head], buf
	q.head = (q.head + 1) % len(q.slots)
	q.n--
	return packet, true
}

// fresh drops packets that have waited longer than stale, as far as there are
// newer ones: all put within together of the newest stay, because one tick may
// send several. It returns how many it dropped.
func (q *queue) fresh(now, stale, together time.Duration) (dropped int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.n == 0 {
		return 0
	}
	newest := q.at[(q.head+q.n-1)%len(q.slots)]
	for now-q.at[q.head] > stale && newest-q.at[q.head] > together {
		q.head = (q.head + 1) % len(q.slots)
		q.n--
		dropped++
	}
	return dropped
}

func (q *queue) len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.n
}
