package scenes

var makers = [...]struct {
	name string
	make func() *Scene
}{
	{"S1", S1}, {"S2", S2}, {"S2x", S2x}, {"S2g", S2g}, {"S3", S3}, {"S4", S4},
	{"S1sleep", S1sleep}, {"S2sleep", S2sleep}, {"S2gsleep", S2gsleep}, {"mixed", Mixed},
}

// Names returns the names of all scenes. Only S4 has no steps.
func Names() []string {
	var out []string
	for _, m := range makers {
		out = append(out, m.name)
	}
	return out
}

// Named returns a scene by its name, or nil.
func Named(name string) *Scene {
	for _, m := range makers {
		if m.name == name {
			return m.make()
		}
	}
	return nil
}
