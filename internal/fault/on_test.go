//go:build fault

package fault

import "testing"

func TestPlanted(t *testing.T) {
	defer Set("")
	if Is("a") || Is("") {
		t.Error("a fault that nobody planted")
	}
	Set("a")
	if !Is("a") || !Is("a") || Is("b") || Hits() != 2 {
		t.Errorf("planted a: %d hits", Hits())
	}
	Set("b")
	if Is("a") || Hits() != 0 || !Is("b") {
		t.Error("b did not replace a")
	}
	Set("")
	if Is("b") || Is("") || Hits() != 0 {
		t.Error("still planted")
	}
}
