package snapshot

import (
	"github.com/foretick/foretick/bits"
	"github.com/foretick/foretick/tick"
)

// codes keeps how changes of the latest frame were written. A version is the
// same for every client, so what one of them is sent against a baseline serves
// all that have the same one: on a good link most do.
type codes struct {
	frame *Frame
	list  []code // codeWays for each entity of the frame
	w     bits.Writer
}

type code struct {
	base  tick.Tick
	at, n int32 // in w, in bits; 0 bits: none
}

func (c *codes) reset(f *Frame) {
	c.frame = f
	n := codeWays * f.Len()
	if cap(c.list) < n {
		c.list = make([]code, n, 2*n)
	}
	c.list = c.list[:n]
	clear(c.list)
	c.w.Reset(nil)
}

// find returns the place of the code of the i-th entity of f against a
// baseline, or nil if f is not the latest frame. It is for some other baseline
// if it is taken.
func (c *codes) find(f *Frame, i int, base tick.Tick) *code {
	if f != c.frame || i >= len(c.list)/codeWays {
		return nil
	}
	return &c.list[codeWays*i+int(base)%codeWays]
}
