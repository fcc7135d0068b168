package shape

func (k *casting) field(f *field)                          {}
func (k *casting) overField(f *field, out []Touch) []Touch { return out }
