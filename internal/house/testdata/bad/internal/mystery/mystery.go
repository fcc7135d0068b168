package mystery // want `has no floor: add a row`
