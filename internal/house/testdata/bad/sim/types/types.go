package types // want `a package called types says nothing`
