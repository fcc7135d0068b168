//go:build !js

package cli

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/internal/soup"
	"github.com/foretick/foretick/physics/mover"
)

// What the walkers are held to.
const (
	walkHz        = 60
	deepest       = 0.05 // m that a capsule may be inside a triangle
	creepMax      = 0.005
	creepSeconds  = 10
	brakeSeconds  = 2 // after the input ends, until rest is measured
	coverMin      = 100.0
	coverShare    = 0.95
	openingsShare = 0.05
	stayRadius    = 0.5 // m, horizontally
	stayHeight    = 2.0 // m: more than a jump, which does not lead away
	staySeconds   = 3
	freeWay       = 0.5  // m: a direction that is free for so long leads on
	freeSlack     = 0.03 // m that the judge's capsule is thinner, so that it starts free
	restShare     = 0.8  // of those that are still in the map come to rest when the input ends
	fullEvery     = 2003 // ticks between those where the judge's grid is judged
	startFlat     = 0.7  // the least Y of the normal of a triangle that is started on
	startGap      = 0.02 // m above it
	startTries    = 10000
)

// walkers is one run: a map, and characters that walk on it, each by itself.
type walkers struct {
	soup    *soup.Soup   // the judge's map
	full    soup.Soup    // the same, where every triangle is looked at
	all     *soup.All    // the same for lines, by brute force
	space   mover.Space  // the character's; it should be another's work
	config  mover.Config // of the character
	seed    uint64
	seconds float64

	floors []int     // triangles to start on
	areas  []float64 // sums of their areas, up to each
}

// walk is what became of a walker.
type walk struct {
	walker   int
	start    soup.V
	ticks    int
	path     float64  // m, horizontally
	deep     float64  // m inside a triangle at most
	fell     bool     // below the map
	rested   bool     // stood on ground without input; crept is then how far it strayed
	crept    float64  // m
	excused  int      // stays where every direction was blocked
	wrong    []string // violations
	crossing bool
}

func newWalkers(vertices []geom.Vec3, triangles [][3]uint32, space mover.Space) *walkers {
	w := &walkers{soup: soup.New(vertices, triangles), space: space, config: mover.Default(), seed: 1, seconds: 60}
	w.full = *w.soup
	w.all = soup.NewAll(w.soup)
	w.full.Full = true
	sum := 0.0
	for i := range w.soup.Triangles {
		if t := &w.soup.Triangles[i]; t.Normal().Y >= startFlat {
			sum += t.Area()
			w.floors = append(w.floors, i)
			w.areas = append(w.areas, sum)
		}
	}
	return w
}

// rng returns the source of all chance in a walker's life.
func (w *walkers) rng(walker int) *rand.Rand { return rand.New(rand.NewPCG(w.seed, uint64(walker))) }

// axis returns the ends of the axis of a capsule around p.
func (w *walkers) axis(p soup.V) (soup.V, soup.V) {
	half := soup.V{Y: float64(w.config.Height/2 - w.config.Radius)}
	return p.Sub(half), p.Add(half)
}

// begin finds a place where a walker has room and no ray says that it stands
// outside of the map or within a wall.
func (w *walkers) begin(rng *rand.Rand) (soup.V, error) {
	if len(w.floors) == 0 {
		return soup.V{}, fmt.Errorf("the map has no floor to start on")
	}
	r := float64(w.config.Radius)
	for range startTries {
		i := sort.SearchFloat64s(w.areas, rng.Float64()*w.areas[len(w.areas)-1])
		t := &w.soup.Triangles[w.floors[min(i, len(w.floors)-1)]]
		u, v := rng.Float64(), rng.Float64()
		if u+v > 1 {
			u, v = 1-u, 1-v
		}
		p := t.A.Add(t.B.Sub(t.A).Mul(u)).Add(t.C.Sub(t.A).Mul(v))
		p = p.Add(t.Normal().Mul(r + startGap))
		p.Y += float64(w.config.Height/2) - r
		if a, b := w.axis(p); w.touches(a, b, r) || !w.within(p) {
			continue
		}
		return p, nil
	}
	return soup.V{}, fmt.Errorf("no room for a walker at %d places", startTries)
}

func (w *walkers) touches(a, b soup.V, r float64) bool {
	i, _ := w.soup.Deepest(a, b, r)
	return i >= 0
}

// within sends 26 rays; each must meet a front face first, or nothing.
func (w *walkers) within(p soup.V) bool {
	for k := range 27 {
		d := soup.V{X: float64(k%3 - 1), Y: float64(k/3%3 - 1), Z: float64(k/9 - 1)}.Unit()
		if d == (soup.V{}) {
			continue
		}
		if i := w.firstHit(p, d); i >= 0 && w.soup.Triangles[i].Normal().Dot(d) >= 0 {
			return false
		}
	}
	return true
}

// firstHit follows a ray in short pieces, -1 if it leaves the map.
func (w *walkers) firstHit(p, d soup.V) int {
	const piece = 4.0
	for far := w.soup.Size() + 1; far > 0; far -= piece {
		q := p.Add(d.Mul(piece))
		if i, _ := w.soup.Crossed(p, q); i >= 0 {
			return i
		}
		p = q
	}
	return -1
}

// play is a walker's life: input until the time is over, then a while without.
func (w *walkers) play(walker int) (walk, error) {
	rng := w.rng(walker)
	r := walk{walker: walker}
	start, err := w.begin(rng)
	if err != nil {
		return r, err
	}
	m, err := mover.New(w.config)
	if err != nil {
		return r, err
	}
	r.start = start
	s := mover.State{Pos: start.Vec3()}
	d := driver{rng: rng, anchor: start}
	n := int(w.seconds * walkHz)
	for ; r.ticks < n && !r.fell; r.ticks++ {
		w.tick(m, &s, d.input(r.ticks), &r)
		p := soup.Of(s.Pos)
		if !d.moved(r.ticks, p) {
			continue
		}
		if way, free := w.free(p); free {
			r.fail("stayed within %g m of (%.3f, %.3f, %.3f) for %d s with a way out at %.0f degrees",
				stayRadius, p.X, p.Y, p.Z, staySeconds, way)
		} else {
			r.excused++
		}
	}
	if !r.fell {
		w.rest(m, &s, &r)
	}
	return r, nil
}

// rest takes the input away and measures how still the walker then stands.
func (w *walkers) rest(m *mover.Mover, s *mover.State, r *walk) {
	for range brakeSeconds * walkHz {
		w.tick(m, s, mover.Input{}, r)
	}
	if !s.Grounded() || r.fell {
		return
	}
	r.rested = true
	at := soup.Of(s.Pos)
	for range creepSeconds * walkHz {
		w.tick(m, s, mover.Input{}, r)
		r.crept = max(r.crept, soup.Of(s.Pos).Sub(at).Len())
	}
	if r.crept > creepMax {
		r.fail("crept %.1f mm without input from (%.3f, %.3f, %.3f)", 1000*r.crept, at.X, at.Y, at.Z)
	}
}

// tick moves, and judges the move.
func (w *walkers) tick(m *mover.Mover, s *mover.State, in mover.Input, r *walk) {
	from := soup.Of(s.Pos)
	m.Move(s, in, w.space, nil)
	to := soup.Of(s.Pos)
	if !s.Pos.Finite() || !s.Vel.Finite() {
		r.fail("tick %d: at %v with velocity %v", r.ticks, s.Pos, s.Vel)
		*s = mover.State{Pos: geom.V3(float32(from.X), float32(from.Y), float32(from.Z))}
		return
	}
	r.path += flat(to.Sub(from))
	if i, _ := w.all.Crossed(from, to); i >= 0 && !r.crossing { // the first of each kind tells enough
		r.crossing = true
		r.fail("tick %d: from (%.4f, %.4f, %.4f) to (%.4f, %.4f, %.4f) through triangle %d", r.ticks, from.X, from.Y, from.Z, to.X, to.Y, to.Z, i)
	}
	a, b := w.axis(to)
	radius := float64(w.config.Radius)
	if i, d := w.soup.Deepest(a, b, radius-r.deep); i >= 0 {
		before := r.deep
		if r.deep = radius - d; r.deep > deepest && before <= deepest {
			r.fail("tick %d: %.3f m inside triangle %d at (%.4f, %.4f, %.4f)", r.ticks, r.deep, i, to.X, to.Y, to.Z)
		}
	}
	if (r.ticks+r.walker)%fullEvery == 0 {
		w.judgeGrid(from, to, r)
	}
	r.fell = r.fell || to.Y < w.soup.Lowest()-float64(w.config.Height)
}

// judgeGrid asks all triangles what the grid was asked.
func (w *walkers) judgeGrid(from, to soup.V, r *walk) {
	a, b := w.axis(to)
	i, _ := w.soup.Crossed(from, to)
	j, _ := w.full.Crossed(from, to)
	k, near := w.soup.Deepest(a, b, 1)
	l, all := w.full.Deepest(a, b, 1)
	if i != j || k != l || near != all {
		r.fail("tick %d: the judge's grid says triangles %d and %d, all say %d and %d", r.ticks, i, k, j, l)
	}
}

func (r *walk) fail(format string, args ...any) {
	if len(r.wrong) < 5 {
		r.wrong = append(r.wrong, fmt.Sprintf(format, args...))
	}
}

func flat(v soup.V) float64 { return math.Hypot(v.X, v.Z) }

// free looks in eight directions for a way out.
func (w *walkers) free(p soup.V) (degrees float64, ok bool) {
	a, b := w.axis(p)
	for k := range 8 {
		angle := float64(k) * math.Pi / 4
		way := soup.V{X: freeWay * math.Cos(angle), Z: freeWay * math.Sin(angle)}
		if w.soup.Cast(a, b, float64(w.config.Radius)-freeSlack, way).Triangle < 0 {
			return angle * 180 / math.Pi, true
		}
	}
	return 0, false
}

// driver makes random input: a stick that is put somewhere else in its disc
// every tenth to quarter of a second, and a jump a second. One that has stayed
// for a second tries eight directions in turn, at full stick and without a
// jump, so that chance alone keeps nobody for three seconds.
type driver struct {
	rng     *rand.Rand
	heading float64
	share   float64
	until   int   // tick at which the stick moves
	order   []int // in which the directions are tried
	tries   int

	anchor soup.V // of a stay
	since  int
}

const (
	tryAfter = walkHz
	tryFor   = walkHz / 4 // eight of them end before three seconds are over
)

// moved takes notice of where the walker is; it reports a stay that has lasted
// for long enough to be judged.
func (d *driver) moved(tick int, p soup.V) bool {
	stays := flat(p.Sub(d.anchor)) <= stayRadius && math.Abs(p.Y-d.anchor.Y) <= stayHeight
	if stays && tick-d.since < staySeconds*walkHz {
		return false
	}
	d.anchor, d.since = p, tick
	return stays
}

func (d *driver) input(tick int) mover.Input {
	jump := d.rng.IntN(walkHz) == 0
	if stay := tick - d.since - tryAfter; stay >= 0 {
		jump = false
		if stay%tryFor == 0 {
			if d.order == nil {
				d.order = d.rng.Perm(8)
			}
			d.heading, d.share = (float64(d.order[d.tries%8])+d.rng.Float64()-0.5)*math.Pi/4, 1
			d.tries++
			d.until = tick + tryFor
		}
	} else if tick >= d.until {
		d.heading, d.share = d.rng.Float64()*2*math.Pi, math.Sqrt(d.rng.Float64())
		d.until = tick + walkHz/10 + d.rng.IntN(walkHz*3/20)
	}
	s, c := math.Sincos(d.heading)
	return mover.Input{Move: geom.Vec3{X: float32(c * d.share), Z: float32(s * d.share)}, Jump: jump}
}
