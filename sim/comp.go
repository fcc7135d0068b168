package sim

import (
	"iter"
	"reflect"

	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/tick"
)

// Comp is a typed handle of a component: no lookup, no strings.
type Comp[T any] struct{ col int }

// Predicted declares a component that travels and that the client predicts.
// Its floats travel exactly unless a tag says otherwise.
func Predicted[T any](g *Game) Comp[T] { return declare[T](g, KindPredicted) }

// Replicated declares a component that travels and that only the server's
// systems write. A system of both sides only reads it. A client learns of a
// new value with the snapshot, so one that such a system reads and that changes
// every tick costs a replay per snapshot.
func Replicated[T any](g *Game) Comp[T] { return declare[T](g, KindReplicated) }

// ServerOnly declares a component that never leaves the server.
func ServerOnly[T any](g *Game) Comp[T] { return declare[T](g, KindServerOnly) }

// ClientOnly declares a component that exists on the client alone.
func ClientOnly[T any](g *Game) Comp[T] { return declare[T](g, KindClientOnly) }

func declare[T any](g *Game, k Kind) Comp[T] {
	return Comp[T]{col: g.declare(reflect.TypeFor[T](), k)}
}

func (g *Game) declare(typ reflect.Type, k Kind) int {
	g.mustBeOpen()
	if len(g.comps) == 64 {
		panic("sim: a game has at most 64 components")
	}
	for _, c := range g.comps {
		if c.typ == any(typ) || c.plan.Name == typ.Name() {
			panic("sim: component " + typ.Name() + " is declared twice")
		}
	}
	g.comps = append(g.comps, component{kind: k, plan: readPlan(typ, nil), typ: typ})
	return len(g.comps) - 1
}

// Column returns the component's column, for tools.
func (c Comp[T]) Column() int { return c.col }

// Has reports whether e has the component.
func (c Comp[T]) Has(s *Step, e tick.Entity) bool { return s.w.Column(c.col).Has(e) }

// Read returns a copy of e's component, or false.
func (c Comp[T]) Read(s *Step, e tick.Entity) (v T, ok bool) {
	col := s.w.Column(c.col)
	r, ok := col.Row(e)
	if !ok {
		return v, false
	}
	return *ecs.At[T](col, r), true
}

// Write returns e's component for writing, or nil if e has none. What is
// written to an entity that is read-only in this step (one that this client
// does not predict) goes nowhere, and later reads do not see it.
func (c Comp[T]) Write(s *Step, e tick.Entity) *T {
	col := s.w.Column(c.col)
	r, ok := col.Row(e)
	if !ok {
		return nil
	}
	if s.guarded && s.isReadOnly(e) {
		col, r = s.spareOf(c.col, col.Bytes(r))
	}
	return ecs.At[T](col, r)
}

// All returns every entity that has the component, ascending, and the values
// in the same order, for reading: writes go through Write. A system that uses
// it reads everything.
func (c Comp[T]) All(s *Step) ([]tick.Entity, []T) {
	col := s.w.Column(c.col)
	return col.IDs(), ecs.Slice[T](col)
}

// Add gives e the component, or overwrites it, at the end of this system.
func (c Comp[T]) Add(s *Step, e tick.Entity, v T) {
	s.later(change{kind: changeAdd, e: e, col: c.col, at: len(s.added)})
	s.added = append(s.added, ecs.BytesOf(&v)...)
}

// Remove takes the component from e at the end of this system.
func (c Comp[T]) Remove(s *Step, e tick.Entity) {
	s.later(change{kind: changeRemove, e: e, col: c.col})
}

// Query1 finds the entities that have A.
type Query1[A any] struct{ a Comp[A] }

// Query2 finds the entities that have A and B.
type Query2[A, B any] struct {
	a Comp[A]
	b Comp[B]
}

// Query3 finds the entities that have A, B and C.
type Query3[A, B, C any] struct {
	a Comp[A]
	b Comp[B]
	c Comp[C]
}

// Match1 holds one match, for reading: write with Comp.Write.
type Match1[A any] struct{ A *A }

// Match2 holds one match, for reading: write with Comp.Write.
type Match2[A, B any] struct {
	A *A
	B *B
}

// Match3 holds one match, for reading: write with Comp.Write.
type Match3[A, B, C any] struct {
	A *A
	B *B
	C *C
}

// Where1 makes a query of one component.
func Where1[A any](a Handle[A]) Query1[A] { return Query1[A]{a.handle()} }

// Where2 makes a query of two components.
func Where2[A, B any](a Handle[A], b Handle[B]) Query2[A, B] {
	return Query2[A, B]{a.handle(), b.handle()}
}

// Where3 makes a query of three components.
func Where3[A, B, C any](a Handle[A], b Handle[B], c Handle[C]) Query3[A, B, C] {
	return Query3[A, B, C]{a.handle(), b.handle(), c.handle()}
}

// Handle is a Comp or an InputComp.
type Handle[T any] interface{ handle() Comp[T] }

func (c Comp[T]) handle() Comp[T] { return c }

// In yields the matches in id order, within the scope of the step.
func (q Query1[A]) In(s *Step) iter.Seq2[tick.Entity, Match1[A]] {
	return func(yield func(tick.Entity, Match1[A]) bool) {
		ca := s.w.Column(q.a.col)
		for _, e := range s.candidates(ca) {
			if ra, ok := ca.Row(e); ok && !yield(e, Match1[A]{ecs.At[A](ca, ra)}) {
				return
			}
		}
	}
}

// In yields the matches in id order, within the scope of the step.
func (q Query2[A, B]) In(s *Step) iter.Seq2[tick.Entity, Match2[A, B]] {
	return func(yield func(tick.Entity, Match2[A, B]) bool) {
		ca, cb := s.w.Column(q.a.col), s.w.Column(q.b.col)
		for _, e := range s.candidates(ca) {
			ra, ok := ca.Row(e)
			rb, ok2 := cb.Row(e)
			if ok && ok2 && !yield(e, Match2[A, B]{ecs.At[A](ca, ra), ecs.At[B](cb, rb)}) {
				return
			}
		}
	}
}

// In yields the matches in id order, within the scope of the step.
func (q Query3[A, B, C]) In(s *Step) iter.Seq2[tick.Entity, Match3[A, B, C]] {
	return func(yield func(tick.Entity, Match3[A, B, C]) bool) {
		ca, cb, cc := s.w.Column(q.a.col), s.w.Column(q.b.col), s.w.Column(q.c.col)
		for _, e := range s.candidates(ca) {
			ra, ok := ca.Row(e)
			rb, ok2 := cb.Row(e)
			rc, ok3 := cc.Row(e)
			if !ok || !ok2 || !ok3 {
				continue
			}
			if !yield(e, Match3[A, B, C]{ecs.At[A](ca, ra), ecs.At[B](cb, rb), ecs.At[C](cc, rc)}) {
				return
			}
		}
	}
}

// Of returns a copy of e's component in a world, or false: for views and tools.
func (c Comp[T]) Of(w *ecs.World, e tick.Entity) (v T, ok bool) {
	col := w.Column(c.col)
	r, ok := col.Row(e)
	if !ok {
		return v, false
	}
	return *ecs.At[T](col, r), true
}

// AllOf is All for a world.
func (c Comp[T]) AllOf(w *ecs.World) ([]tick.Entity, []T) {
	col := w.Column(c.col)
	return col.IDs(), ecs.Slice[T](col)
}
