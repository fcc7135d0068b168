package wasmpack

// The packed form is LZ4's block format (its description is public; Yann
// Collet): runs of literal bytes and copies from up to 64 KiB back. It unpacks in
// a few instructions and leaves what does not repeat as it is, for the transfer's
// own compression.

const (
	minMatch = 4
	window   = 1<<16 - 1
	hashBits = 16
	depth    = 96 // candidates looked at: beyond, the size falls by less than 0.1 %
)

// compress packs src, greedily but for one byte of looking ahead.
func compress(src []byte) []byte {
	var out []byte
	head := make([]int32, 1<<hashBits) // newest position + 1, by the hash of four bytes
	prev := make([]int32, len(src))    // the one before, + 1
	enter := func(i int) {
		if i+minMatch <= len(src) {
			h := hash(src[i:])
			prev[i], head[h] = head[h], int32(i+1)
		}
	}
	find := func(i int) (length, back int) {
		if i+minMatch > len(src) {
			return 0, 0
		}
		j := head[hash(src[i:])]
		for n := 0; j > 0 && i-int(j-1) <= window && n < depth; n++ {
			if l := same(src, int(j-1), i); l > length {
				length, back = l, i-int(j-1)
			}
			j = prev[j-1]
		}
		return length, back
	}
	from := 0 // of the literals
	for i := 0; i < len(src); {
		length, back := find(i)
		enter(i)
		if length < minMatch {
			i++
			continue
		}
		if next, _ := find(i + 1); next > length+1 {
			i++
			continue
		}
		out = sequence(out, src[from:i], length, back)
		for k := i + 1; k < i+length; k++ {
			enter(k)
		}
		i += length
		from = i
	}
	return sequence(out, src[from:], 0, 0) // the last: literals only
}

func hash(b []byte) uint32 {
	v := uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
	return v * 2654435761 >> (32 - hashBits)
}

func same(b []byte, i, j int) int {
	n := 0
	for j+n < len(b) && b[i+n] == b[j+n] {
		n++
	}
	return n
}

// sequence appends literals and a copy; without length there is no copy.
func sequence(out, literals []byte, length, back int) []byte {
	long := max(0, length-minMatch)
	out = append(out, byte(min(15, len(literals))<<4|min(15, long)))
	out = append(more(out, len(literals)), literals...)
	if length == 0 {
		return out
	}
	return more(append(out, byte(back), byte(back>>8)), long)
}

// more appends what of a count four bits do not hold.
func more(out []byte, n int) []byte {
	if n < 15 {
		return out
	}
	for n -= 15; n >= 255; n -= 255 {
		out = append(out, 255)
	}
	return append(out, byte(n))
}
