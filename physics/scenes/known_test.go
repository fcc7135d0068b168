package scenes_test

// known are hashes of scenes, the same on every processor. What changes a bit
// of a step changes them, and every recorded match, so change them knowingly:
//
//	go test ./physics/scenes -run TestSceneHashes -write
var known = []knownHash{
	{"S1", 40, 0x290e0a079e9cf716, 0xc14fbc08865c3584},
	{"S2", 12, 0xfca6f46709a98463, 0x183bb3d05012472a},
	{"S2x", 10, 0x3bb6cdd8af7cd90e, 0x9edc16f7cb9095e4},
	{"S2g", 20, 0xd4d03d0bbbaac7b6, 0xad4d25b18db57d15},
	{"S3", 62, 0xb5da39dfbf9b83b4, 0x8a4f19e43dd3f25d},
	{"S1sleep", 50, 0xeb6c22d46d0486a1, 0xaab5c913b54059},
	{"mixed", 230, 0x14d6eb565bf7abed, 0x2372d52994f5aa2b},
}
