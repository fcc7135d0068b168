package physics

// Components labels the moving bodies by what the next step could let them
// interact with, through however many others: rows of Bodies with equal labels
// must be stepped together, and a part of the world that is a union of labels
// steps by itself as it does in the whole, bit for bit. A label is the lowest
// row of its component. The relation is wider than contact: boxes swept by the
// step's motion, sleeping and kinematic bodies included. Static bodies belong
// to every part.
func (w *World) Components(out []uint32) []uint32 {
	s, n := &w.step, len(w.moving.ids)
	s.before = append(s.before[:0], w.moving.st...)
	w.begin()
	w.frameAll()
	s.parent = resize(s.parent, n)
	for r := range n {
		s.parent[r] = int32(r)
	}
	s.labelling = true
	w.findPairs()
	s.labelling = false
	copy(w.moving.st, s.before) // begin aims kinematic bodies
	for r := range n {
		out = append(out, uint32(s.root(int32(r))))
	}
	return out
}
