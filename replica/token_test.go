package replica_test

import (
	"testing"
	"time"

	"github.com/foretick/foretick/authority"
	"github.com/foretick/foretick/examples/pucks"
	"github.com/foretick/foretick/replica"
)

// A replica with the token of another that is gone has its place, and its next
// click is the next one: not one that was made already.
func TestToken(t *testing.T) {
	a := newArena(t, 1, authority.Config{MaxPlayers: 1})
	old := a.join(replica.Config{}, 60*ms, 0)
	a.until(3*time.Second, old.playing)
	clicks := func() int {
		v, _ := pucks.Drives.Of(a.server.World(), old.Me())
		return int(v.Dash)
	}
	for range 3 {
		old.dash()
		a.run(500 * ms)
	}
	if n := clicks(); n != 3 {
		t.Fatalf("%d clicks", n)
	}
	old.cut, old.asleep = true, true
	a.run(200 * ms)

	is := a.join(replica.Config{Token: old.Token()}, 60*ms, 0)
	a.until(3*time.Second, is.playing)
	if is.Player() != old.Player() || is.Me() != old.Me() {
		t.Errorf("player %v with puck %v was %v with %v", is.Player(), is.Me(), old.Player(), old.Me())
	}
	a.run(500 * ms)
	if n := clicks(); n != 3 {
		t.Errorf("%d clicks with nothing pressed", n)
	}
	is.dash()
	a.run(500 * ms)
	if n := clicks(); n != 4 {
		t.Errorf("%d clicks after the fourth", n)
	}
	is.agrees("after the fourth")

	other := a.join(replica.Config{Token: is.Token() ^ 1}, 60*ms, 0)
	a.run(time.Second)
	if other.State() != replica.Refused {
		t.Errorf("with another token: %v, want a refusal", other.State())
	}
}
