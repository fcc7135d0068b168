//go:build embedpage

package web

import _ "embed"

// go generate ./web puts them there.
var (
	//go:embed built/three.module.js
	threeModule []byte
	//go:embed built/three.core.js
	threeCore []byte
	//go:embed built/wasm_exec.js
	support []byte
	//go:embed built/gallery.wasm
	galleryProgram []byte

	embedded = map[string][]byte{"three.module.js": threeModule, "three.core.js": threeCore}
)
