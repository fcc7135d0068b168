// Package limit has a context that ends after a while or when told. It is the
// standard one's WithCancel and WithTimeout without their texts, values and
// channel timers, which were a tenth of the program a browser loads.
package limit

import (
	"context"
	"sync"
	"time"
)

// Context is a context.Context, safe for concurrent use.
type Context struct {
	value    func(key any) any // the parent's
	deadline time.Duration     // since epoch
	bounded  bool
	done     chan struct{}

	mu  sync.Mutex
	err error
}

// epoch is what Contexts keep time by: a time.Time or a context.Context, which
// mentions one, in the struct would keep the program from leaving out how times
// are written.
var epoch = time.Now()

// With returns a context that ends with its parent, by End, and, if limit is
// not 0, after that. End must be called, or it and what serves it stay.
func With(parent context.Context, limit time.Duration) *Context {
	c := &Context{value: parent.Value, done: make(chan struct{})}
	if at, ok := parent.Deadline(); ok {
		c.deadline, c.bounded = at.Sub(epoch), true
	}
	if limit != 0 {
		if at := time.Since(epoch) + limit; !c.bounded || at < c.deadline {
			c.deadline, c.bounded = at, true
		}
		t := time.AfterFunc(limit, func() { c.end(context.DeadlineExceeded) })
		go func() {
			<-c.done
			t.Stop()
		}()
	}
	if parent.Done() != nil {
		go func() {
			select {
			case <-parent.Done():
				c.end(parent.Err())
			case <-c.done:
			}
		}()
	}
	return c
}

// End ends it with context.Canceled.
func (c *Context) End() { c.end(context.Canceled) }

func (c *Context) end(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.err = err
		close(c.done)
	}
}

// Deadline implements context.Context.
func (c *Context) Deadline() (at time.Time, ok bool) {
	if !c.bounded {
		return at, false
	}
	return epoch.Add(c.deadline), true
}

// Done implements context.Context.
func (c *Context) Done() <-chan struct{} { return c.done }

// Err implements context.Context.
func (c *Context) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Value implements context.Context.
func (c *Context) Value(key any) any { return c.value(key) }

// After is closed after d; stop tells that nobody waits any more.
func After(d time.Duration) (after <-chan struct{}, stop func()) {
	c := make(chan struct{})
	t := time.AfterFunc(d, func() { close(c) })
	return c, func() { t.Stop() }
}
