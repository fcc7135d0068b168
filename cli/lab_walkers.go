//go:build !js

package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/level"
	"github.com/foretick/foretick/physics"
	"github.com/foretick/foretick/shape"
)

const maxLevel = 256 << 20 // bytes of a file; the largest map is a thousandth of it

// walkerFlags is what lab walkers is told.
type walkerFlags struct {
	level      string
	n, workers int
	walker     int
	seed       uint64
	seconds    float64
}

// labWalkers lets characters walk on a map at random and judges every tick.
func (a *app) labWalkers(args []string) error {
	var o walkerFlags
	f := a.flags("lab walkers", "let characters walk and jump on a map at random, and look for holes, penetration, creeping and places they stick in")
	f.StringVar(&o.level, "level", "", "the map, a glTF binary `file`")
	f.IntVar(&o.n, "n", 1000, "number of walkers, each alone")
	f.Float64Var(&o.seconds, "seconds", 60, "how long each walks")
	f.Uint64Var(&o.seed, "seed", 1, "seed of starts and inputs")
	f.IntVar(&o.walker, "walker", -1, "this walker alone")
	f.IntVar(&o.workers, "workers", runtime.NumCPU(), "walkers at a time")
	if err := a.parse(f, args); err != nil {
		return err
	}
	switch {
	case o.level == "":
		return usageError("say which map: -level FILE; " + f.Name() + " -h lists the flags")
	case o.n < 1 || o.n > 1e6 || o.workers < 1:
		return usageError("-n is 1 to 1000000, -workers at least 1; " + f.Name() + " -h lists the flags")
	case !(o.seconds > 0 && o.seconds <= 86400):
		return usageError("-seconds is up to a day; " + f.Name() + " -h lists the flags")
	}
	vertices, triangles, err := readLevel(o.level)
	if err != nil {
		return err
	}
	first := 0
	if o.walker >= 0 {
		first, o.n = o.walker, 1
	}
	fmt.Fprintf(a.out, "%s: %d triangles, %d vertices\n", o.level, len(triangles), len(vertices))
	sum := walkSum{repeat: commandLine(a.program+" lab walkers", []string{"-level", o.level,
		"-seed", strconv.FormatUint(o.seed, 10), "-seconds", strconv.FormatFloat(o.seconds, 'g', -1, 64)})}
	crews := make([]*walkers, min(o.workers, o.n))
	for i := range crews {
		space, err := worldOf(vertices, triangles)
		if err != nil {
			return fmt.Errorf("%s: %w", o.level, err)
		}
		crews[i] = newWalkers(vertices, triangles, space)
		crews[i].seed, crews[i].seconds = o.seed, o.seconds
	}
	if err := a.walk(crews, first, o.n, &sum); err != nil {
		return fmt.Errorf("%s: %w", o.level, err)
	}
	fmt.Fprint(a.out, &sum)
	return sum.Err()
}

func readLevel(name string) ([]geom.Vec3, [][3]uint32, error) {
	info, err := os.Stat(name)
	if err == nil && (info.IsDir() || info.Size() > maxLevel) {
		return nil, nil, fmt.Errorf("-level %s: no file of at most %d MB", name, maxLevel>>20)
	}
	var data []byte
	if err == nil {
		data, err = os.ReadFile(name)
	}
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	if err != nil {
		return nil, nil, fmt.Errorf("-level %s cannot be read: %w", name, err)
	}
	vertices, triangles, err := level.Read(data)
	if err == nil && len(triangles) == 0 {
		err = errors.New("no triangles in it")
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return vertices, triangles, nil
}

// worldOf is a world with a map in it, and nothing else.
func worldOf(vertices []geom.Vec3, triangles [][3]uint32) (*physics.World, error) {
	shapes := new(shape.Store)
	mesh, err := shapes.AddMesh(vertices, triangles)
	if err != nil {
		return nil, err
	}
	w := physics.New(physics.Config{Shapes: shapes})
	return w, w.Add(1, physics.NewDef(physics.Static, mesh), physics.At(geom.Vec3{}, geom.Identity()))
}

// walk plays n walkers, some at a time.
func (a *app) walk(crews []*walkers, first, n int, sum *walkSum) error {
	var (
		work  sync.WaitGroup
		next  atomic.Int64
		mu    sync.Mutex
		fault error
		begun = time.Now()
	)
	for _, w := range crews {
		work.Go(func() {
			for a.ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				r, err := w.play(first + i)
				mu.Lock()
				if err != nil {
					fault = err
					next.Store(int64(n))
				} else {
					sum.add(r)
				}
				if s := time.Since(begun); err == nil && n > 1 && (sum.walkers%100 == 0 || sum.walkers == n) {
					fmt.Fprintf(a.out, "%d of %d walkers, %.0f s, %d failed\n", sum.walkers, n, s.Seconds(), len(sum.failed))
				}
				mu.Unlock()
			}
		})
	}
	work.Wait()
	sum.cut = sum.walkers < n
	return fault
}

// walkSum is what became of all walkers.
type walkSum struct {
	repeat  string // the command without -walker
	walkers int
	ticks   int
	cut     bool // not all have walked

	crossings, openings int
	deep, crept         float64 // worst
	rested, excused     int
	fallen              int
	far                 int // walkers that covered enough
	paths               []float64
	failed              []walk
}

func (s *walkSum) add(r walk) {
	s.walkers++
	s.ticks += r.ticks
	s.excused += r.excused
	s.deep, s.crept = max(s.deep, r.deep), max(s.crept, r.crept)
	s.paths = append(s.paths, r.path)
	if r.crossing {
		s.crossings++
	} else if r.fell {
		s.openings++
	}
	if r.rested {
		s.rested++
	}
	if r.fell {
		s.fallen++
	}
	if r.path >= coverMin {
		s.far++
	}
	if len(r.wrong) > 0 {
		s.failed = append(s.failed, r)
	}
}

// Err says in which ways the run failed, nil if in none.
func (s *walkSum) Err() error {
	var why []string
	add := func(format string, args ...any) { why = append(why, fmt.Sprintf(format, args...)) }
	if s.cut {
		add("stopped before all had walked")
	}
	if len(s.failed) > 0 {
		add("%d of %d walkers failed", len(s.failed), s.walkers)
	}
	if s.walkers > 1 {
		if float64(s.openings) > openingsShare*float64(s.walkers) {
			add("%d of %d fell out of the map, more than %g %%", s.openings, s.walkers, 100*openingsShare)
		}
		if stay := s.walkers - s.fallen; float64(s.rested) < restShare*float64(stay) {
			add("%d of %d came to rest without input, less than %g %%", s.rested, stay, 100*restShare)
		}
		if float64(s.far) < coverShare*float64(s.walkers) {
			add("%d of %d covered %g m, less than %g %%", s.far, s.walkers, coverMin, 100*coverShare)
		}
	}
	if why == nil {
		return nil
	}
	return errors.New(strings.Join(why, "; "))
}

func (s *walkSum) String() string {
	var out []byte
	line := func(format string, args ...any) { out = fmt.Appendf(out, format+"\n", args...) }
	sort.Slice(s.failed, func(i, j int) bool { return s.failed[i].walker < s.failed[j].walker })
	for _, r := range s.failed {
		for _, why := range r.wrong {
			line("walker %d: %s", r.walker, why)
		}
		line("  %s -walker %d", s.repeat, r.walker)
	}
	if s.walkers == 0 {
		return string(out)
	}
	sort.Float64s(s.paths)
	share := func(n int) float64 { return 100 * float64(n) / float64(s.walkers) }
	line("walkers                    %d, %d ticks with input", s.walkers, s.ticks)
	line("through a triangle         %d", s.crossings)
	line("out of the map             %d (%.1f %%), through its openings", s.openings, share(s.openings))
	line("deepest penetration        %.1f mm of %.0f", 1000*s.deep, 1000*deepest)
	line("at rest on ground          %d, crept at most %.2f mm of %.0f in %d s", s.rested, 1000*s.crept, 1000*creepMax, creepSeconds)
	line("covered %3.0f m              %d (%.1f %%), median %.0f m", coverMin, s.far, share(s.far), s.paths[len(s.paths)/2])
	line("blocked on all sides       %d times for %d s", s.excused, staySeconds)
	line("failed                     %d", len(s.failed))
	return string(out)
}
