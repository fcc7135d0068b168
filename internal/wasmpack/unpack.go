package wasmpack

// WebAssembly's instructions, as far as the unpacker needs them.
const (
	opBlock = 0x02
	opLoop  = 0x03
	opIf    = 0x04
	opEnd   = 0x0b
	opBr    = 0x0c
	opBrIf  = 0x0d
	opGet   = 0x20
	opSet   = 0x21
	opTee   = 0x22
	opLoad8 = 0x2d // unsigned
	opLoad2 = 0x2f // 16 bits, unsigned
	opStore = 0x3a // 8 bits
	opConst = 0x41
	opEq    = 0x46
	opGeU   = 0x4f
	opAdd   = 0x6a
	opSub   = 0x6b
	opAnd   = 0x71
	opShrU  = 0x76
	opBulk  = 0xfc
	void    = 0x40

	varSrc, varDst, varToken, varN, varByte, varBack = 0, 1, 2, 3, 4, 5
)

// unpacker is the body of a function that unpacks what lies from place to end
// into the memory from low on, and clears it away:
//
//	for {
//		token = *src++
//		n = token>>4, and more if 15
//		copy n bytes from src to dst
//		if src >= end { break }
//		back = 16 bits at src; src += 2
//		n = token&15, and more if 15, +4
//		copy n bytes from dst-back to dst, one by one
//	}
func unpacker(place, end, low int) []byte {
	var c []byte
	op := func(b ...byte) { c = append(c, b...) }
	num := func(v int) { c = svar(append(c, opConst), v) }
	step := func(v byte, by int) { // v += by
		op(opGet, v)
		num(by)
		op(opAdd, opSet, v)
	}
	next := func() { // varByte = *src++
		op(opGet, varSrc, opLoad8, 0, 0, opSet, varByte)
		step(varSrc, 1)
	}
	extend := func() { // if n == 15 { do { b = *src++; n += b } while b == 255 }
		op(opGet, varN)
		num(15)
		op(opEq, opIf, void, opLoop, void)
		next()
		op(opGet, varN, opGet, varByte, opAdd, opSet, varN)
		op(opGet, varByte)
		num(255)
		op(opEq, opBrIf, 0, opEnd, opEnd)
	}

	op(1, 6, 0x7f) // locals: six int32
	num(place)
	op(opSet, varSrc)
	num(low)
	op(opSet, varDst)
	op(opBlock, void, opLoop, void)
	next()
	op(opGet, varByte, opTee, varToken)
	num(4)
	op(opShrU, opSet, varN)
	extend()
	op(opGet, varDst, opGet, varSrc, opGet, varN, opBulk, 10, 0, 0) // memory.copy
	op(opGet, varDst, opGet, varN, opAdd, opSet, varDst)
	op(opGet, varSrc, opGet, varN, opAdd, opTee, varSrc)
	num(end)
	op(opGeU, opBrIf, 1)
	op(opGet, varSrc, opLoad2, 0, 0, opSet, varBack)
	step(varSrc, 2)
	op(opGet, varToken)
	num(15)
	op(opAnd, opSet, varN)
	extend()
	step(varN, minMatch)
	op(opLoop, void)
	op(opGet, varDst, opGet, varDst, opGet, varBack, opSub, opLoad8, 0, 0, opStore, 0, 0)
	step(varDst, 1)
	op(opGet, varN)
	num(1)
	op(opSub, opTee, varN, opBrIf, 0, opEnd)
	op(opBr, 0, opEnd, opEnd)
	num(place)
	num(0)
	num(end - place)
	op(opBulk, 11, 0) // memory.fill
	op(opEnd)
	return c
}
