package server

import (
	"testing"
	"time"

	"github.com/foretick/foretick/authority"
	"github.com/foretick/foretick/examples/pucks"
	"github.com/foretick/foretick/snapshot"
)

// Who never takes his pictures costs the tick nothing, and then gets the newest.
func TestSlowWatcher(t *testing.T) {
	a := authority.New(authority.Config{Game: pucks.Game})
	d := newDebug()
	d.publish(a) // nobody watches: nothing is made
	if d.size != 0 {
		t.Error("a picture was made for nobody")
	}
	w := d.enter(func() {})
	done := make(chan struct{})
	go func() {
		for i := range 1000 {
			a.Tick(time.Duration(i) * time.Second / 60)
			d.publish(a)
		}
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("the tick waits for a watcher")
	}
	n, err := snapshot.ReadPicture(pucks.Game, *w.newest.Load(), pucks.Game.NewWorld())
	if err != nil || n != a.Now() {
		t.Errorf("the picture is of tick %d, now is %d: %v", n, a.Now(), err)
	}
	d.leave(w)
	if d.n.Load() != 0 {
		t.Error("he has left, and counts")
	}
}
