package authority

import "testing"

// The reference vector of the SipHash paper has 15 bytes; that of 8 bytes is
// from the authors' list of vectors, with the key 00 01 .. 0f.
func TestSipHash(t *testing.T) {
	got := sipHash(0x0706050403020100, 0x0f0e0d0c0b0a0908, 0x0706050403020100)
	if want := uint64(0x93f5f5799a932462); got != want {
		t.Errorf("sipHash = %#x, want %#x", got, want)
	}
}
