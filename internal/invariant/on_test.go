//go:build invariant

package invariant

import "testing"

func TestBrokenPanics(t *testing.T) {
	Check(true, "kept")
	defer func() {
		if got := recover(); got != "invariant broken: planted" {
			t.Errorf("recovered %v", got)
		}
	}()
	Check(false, "planted")
	t.Error("a broken invariant went on")
}
