package scenes_test

// known are hashes of scenes, the same on every processor. What changes a bit
// of a step changes them, and every recorded match, so change them knowingly:
//
//	go test ./physics/scenes -run TestSceneHashes -write
var known = []knownHash{
	{"S1", 40, 0x290e0a079e9cf716, 0xc14fbc08865c3584},
	{"S2", 12, 0xfca6f46709a98463, 0x183bb3d05012472a},
	{"S2x", 10, 0xe1611ada55b8941, 0xcf63674810325fcf},
	{"S2g", 20, 0xd4d03d0bbbaac7b6, 0xad4d25b18db57d15},
	{"S3", 62, 0x2a3ccdbf6f96a926, 0x68a62fdc5429dde1},
	{"S1sleep", 50, 0xeb6c22d46d0486a1, 0xaab5c913b54059},
	{"mixed", 230, 0x5d9435e159a39e2f, 0x2d2fcf535a35293a},
}
