package limit_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/foretick/foretick/internal/limit"
)

// Whatever ends it, it says so as the standard contexts do, when they do, and
// leaves no goroutine (synctest.Test waits for those).
func TestAsStandard(t *testing.T) {
	type key struct{}
	kinds := map[string]func(context.Context, time.Duration) (context.Context, func()){
		"standard": func(c context.Context, d time.Duration) (context.Context, func()) {
			if d == 0 {
				return context.WithCancel(c)
			}
			return context.WithTimeout(c, d)
		},
		"ours": func(c context.Context, d time.Duration) (context.Context, func()) {
			l := limit.With(c, d)
			return l, l.End
		},
	}
	for _, c := range []struct {
		name           string
		parent, limit  time.Duration // 0: none
		cancel, outer  time.Duration // when; 0: at the end
		err            error
		ends, deadline time.Duration // from the start; 0: none
	}{
		{"told", 0, 0, time.Second, 0, context.Canceled, time.Second, 0},
		{"told before", 0, time.Hour, time.Second, 0, context.Canceled, time.Second, time.Hour},
		{"after a while", 0, time.Second, 0, 0, context.DeadlineExceeded, time.Second, time.Second},
		{"with the parent", 0, 0, 0, time.Second, context.Canceled, time.Second, 0},
		{"by the parent's limit", time.Second, time.Hour, 0, 0, context.DeadlineExceeded, time.Second, time.Second},
		{"before the parent's limit", time.Hour, time.Second, 0, 0, context.DeadlineExceeded, time.Second, time.Second},
	} {
		for kind, with := range kinds {
			t.Run(c.name+"/"+kind, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					begun := time.Now()
					parent, end := context.WithCancel(context.WithValue(t.Context(), key{}, 7))
					defer end()
					if c.parent != 0 {
						p, e := context.WithTimeout(parent, c.parent)
						defer e()
						parent = p
					}
					ctx, cancel := with(parent, c.limit)
					defer cancel()
					if at, ok := ctx.Deadline(); ok != (c.deadline != 0) || ok && at.Sub(begun).Round(time.Millisecond) != c.deadline {
						t.Errorf("deadline %v after %v", ok, at.Sub(begun))
					}
					if ctx.Err() != nil || ctx.Value(key{}) != 7 {
						t.Errorf("%v, %v", ctx.Err(), ctx.Value(key{}))
					}
					if c.cancel != 0 {
						time.AfterFunc(c.cancel, cancel)
					}
					if c.outer != 0 {
						time.AfterFunc(c.outer, end)
					}
					<-ctx.Done()
					if d := time.Since(begun); d != c.ends || ctx.Err() != c.err {
						t.Errorf("%v after %v, want %v after %v", ctx.Err(), d, c.err, c.ends)
					}
				})
			})
		}
	}
}

func TestAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		after, stop := limit.After(time.Second)
		<-after
		stop()
		if d := time.Since(begun); d != time.Second {
			t.Error(d)
		}
		after, stop = limit.After(time.Second)
		stop()
		select {
		case <-after:
			t.Error("comes although stopped")
		case <-time.After(2 * time.Second):
		}
	})
}
