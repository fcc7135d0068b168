//go:build embedpage

package web

import _ "embed"

// go generate ./web puts them there.
var (
	//go:embed three/three.module.js
	threeModule []byte
	//go:embed three/three.core.js
	threeCore []byte

	embedded = map[string][]byte{"three.module.js": threeModule, "three.core.js": threeCore}
)
