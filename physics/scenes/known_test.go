package scenes_test

// known are hashes of scenes, the same on every processor. What changes a bit
// of a step changes them, and every recorded match, so change them knowingly:
//
//	go test ./physics/scenes -run TestSceneHashes -write
var known = []knownHash{
	{"S1", 40, 0x5cf3fb2718d0a9a1, 0xaf820c4111d8393},
	{"S2", 12, 0xfca6f46709a98463, 0x183bb3d05012472a},
	{"S2x", 10, 0xe1611ada55b8941, 0xcf63674810325fcf},
	{"S2g", 20, 0xc33ca40aebd6de9, 0x734ad70f31f1a5b4},
	{"S3", 62, 0xcbc64cd029a6dcce, 0x5b8d940c2df04e38},
	{"S1sleep", 50, 0x121e5ff185d990b4, 0x23c50292710a15a5},
	{"mixed", 230, 0x47253fdee48a5229, 0x941aaf11a4dd8550},
}
