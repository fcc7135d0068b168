package tick

// Entity names one entity: an index in the high half, a generation in the low
// one. Order by the number is order by index, and at most one generation of an
// index lives at a time, so iteration by Entity is the same on every machine.
type Entity uint32

// NoEntity is the one invalid Entity. Index 0 is never given out.
const NoEntity Entity = 0

// MakeEntity puts an Entity together.
func MakeEntity(index, generation uint16) Entity {
	return Entity(uint32(index)<<16 | uint32(generation))
}

// Index returns the slot the entity lives in.
func (e Entity) Index() uint16 { return uint16(e >> 16) }

// Generation tells users of one index apart.
func (e Entity) Generation() uint16 { return uint16(e) }
