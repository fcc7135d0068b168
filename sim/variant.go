package sim

import (
	"maps"
	"reflect"
)

// Variant returns a copy of a game that is open for change, under a name of
// its own, whose handles, systems and effects are those of g: to run a game
// with another hole policy, or with one system fewer. It must be sealed, as
// any game, before goroutines share it.
func (g *Game) Variant(name string) *Game {
	c := *g
	c.sealed = false
	c.name = gameName(name)
	c.comps = append(c.comps[:0:0], g.comps...)
	c.systems = append(c.systems[:0:0], g.systems...)
	c.effects = append(c.effects[:0:0], g.effects...)
	return &c
}

// Without takes a system out, by name.
func (g *Game) Without(system string) *Game {
	g.mustBeOpen()
	for i := range g.systems {
		if g.systems[i].name == system {
			g.systems = append(g.systems[:i], g.systems[i+1:]...)
			return g
		}
	}
	panic("sim: game " + g.name + " has no system " + system)
}

// Retag returns a sealed copy of a game in which fields of one component carry
// other tags, by path ("Pos": "step=1/256"), to try out how it would travel.
// The handles and systems stay valid for the copy.
func (g *Game) Retag(component string, tags map[string]string) *Game {
	c := g.Variant(g.name)
	for i := range c.comps {
		comp := &c.comps[i]
		if comp.plan.Name != component {
			continue
		}
		all := maps.Clone(comp.tags)
		if all == nil {
			all = map[string]string{}
		}
		maps.Copy(all, tags)
		comp.tags, comp.plan = all, readPlan(comp.typ.(reflect.Type), all)
		return c.Seal()
	}
	panic("sim: game " + g.name + " has no component " + component)
}

func gameName(s string) string {
	if s == "" || len(s) > 32 {
		panic("sim: a game's name has 1 to 32 bytes")
	}
	return s
}
