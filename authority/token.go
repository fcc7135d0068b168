package authority

import "math/bits"

// draw returns a session number or token that nobody can guess who does not
// know the secret, whatever numbers he was given: SipHash-2-4 of a running
// number (Aumasson and Bernstein 2012).
func (a *Authority) draw() uint64 {
	for {
		a.issued++
		if x := sipHash(a.cfg.Secret, a.cfg.Secret2, a.issued); x != 0 {
			return x
		}
	}
}

// sipHash is SipHash-2-4 of one 8-byte message under the key k0, k1.
func sipHash(k0, k1, m uint64) uint64 {
	v := [4]uint64{k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d, k0 ^ 0x6c7967656e657261, k1 ^ 0x7465646279746573}
	for _, block := range [2]uint64{m, 8 << 56} {
		v[3] ^= block
		sipRound(&v)
		sipRound(&v)
		v[0] ^= block
	}
	v[2] ^= 0xff
	for range 4 {
		sipRound(&v)
	}
	return v[0] ^ v[1] ^ v[2] ^ v[3]
}

func sipRound(v *[4]uint64) {
	v[0] += v[1]
	v[1] = bits.RotateLeft64(v[1], 13) ^ v[0]
	v[0] = bits.RotateLeft64(v[0], 32)
	v[2] += v[3]
	v[3] = bits.RotateLeft64(v[3], 16) ^ v[2]
	v[0] += v[3]
	v[3] = bits.RotateLeft64(v[3], 21) ^ v[0]
	v[2] += v[1]
	v[1] = bits.RotateLeft64(v[1], 17) ^ v[2]
	v[2] = bits.RotateLeft64(v[2], 32)
}
