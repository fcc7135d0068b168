package util // want `a package called util says nothing` `has no floor: add a row`
