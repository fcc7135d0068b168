package replica

import (
	"testing"
	"time"

	"github.com/foretick/foretick/tick"
)

func TestRosterForgets(t *testing.T) {
	var r roster
	for i := range 30000 {
		e := tick.MakeEntity(uint16(i+1), 0)
		r.note(e, 1, 1, 5)
		if i%3 != 0 {
			r.drop(e, tick.Tick(10+i%2))
		}
	}
	began := time.Now()
	r.forget(10 + goneTicks + 1)
	t.Logf("%v", time.Since(began))
	for _, e := range r.ids {
		if m, ok := r.find(e); !ok || m.gone && m.since == 10 {
			t.Fatalf("entity %v: %+v", e, m)
		}
	}
	if n := len(r.ids); n != 20000 || len(r.list) != n {
		t.Errorf("%d are left", n)
	}
}
