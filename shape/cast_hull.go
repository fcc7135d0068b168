package shape

func (h *hull) support(d v3) v3    { return v3{} }
func (h *hull) waysOut(w *wayOut)  {}
func (k *casting) rayHull(h *hull) {}
