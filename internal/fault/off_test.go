//go:build !fault

package fault

import "testing"

func TestSetRefused(t *testing.T) {
	Set("")
	defer func() {
		if recover() == nil {
			t.Error("a fault was planted in a build that has none")
		}
	}()
	Set("a")
}
