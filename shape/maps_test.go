package shape

import (
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"testing"

	"github.com/foretick/foretick/geom"
	glb "github.com/foretick/foretick/level"
)

// mapFiles are real maps, which are not closed and have slivers and
// duplicates, or none if the data is not beside the project.
func mapFiles() []string {
	for dir, up := ".", 0; up < 6; dir, up = filepath.Join(dir, ".."), up+1 {
		if files, _ := filepath.Glob(filepath.Join(dir, "shared/data/levels/*.glb")); len(files) > 0 {
			return files
		}
	}
	return nil
}

// TestCastsOnMaps compares rays and capsules with a look at every triangle.
func TestCastsOnMaps(t *testing.T) {
	files := mapFiles()
	if files == nil {
		t.Skip("no shared/data/levels above the project")
	}
	const seed = 19
	r := rand.New(rand.NewSource(seed))
	f := geom.FrameOf(geom.Vec3{}, geom.Identity())
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		v, tri, err := glb.Read(data)
		if err != nil {
			t.Fatal(err)
		}
		var st Store
		s := Must(st.AddMesh(v, tri))
		m := &st.meshes[0]
		size := m.box.Max.Sub(m.box.Min)
		place := func() geom.Vec3 {
			return m.box.Min.Add(geom.V3(size.X*r.Float32(), size.Y*r.Float32(), size.Z*r.Float32()))
		}
		rays, sweeps := 0, 0
		for range 300 {
			a := place()
			if rayAmong(t, name, s, &st, &f, v, tri, a, place().Sub(a)) {
				rays++
			}
		}
		for range 60 {
			a := place()
			c := Cast{Round: Round{A: a, B: a.Add(geom.V3(0, 0.95, 0)), R: 0.4}, Move: place().Sub(a).Norm().Mul(6)}
			h, ok := st.Cast(s, &f, &c, 1)
			want, least := mapSweep(m, &c)
			if bad := judge(&c, want, least, h, ok); bad != "" {
				t.Fatalf("seed %d, %s: %s", seed, name, bad)
			}
			if ok {
				sweeps++
			}
		}
		t.Logf("%s: %d of 300 rays and %d of 60 capsules hit", filepath.Base(name), rays, sweeps)
		if rays < 100 || sweeps < 10 {
			t.Errorf("seed %d, %s: %d rays and %d capsules hit", seed, name, rays, sweeps)
		}
	}
}

// mapSweep is refCast over all triangles near the way; least is 0 where any is
// grazed.
func mapSweep(m *mesh, c *Cast) (want, least float64) {
	want, least = 2, math.Inf(1)
	way := AABB{c.A, c.A}
	way.join(&AABB{c.A.Add(c.Move), c.A.Add(c.Move)})
	way = way.Grown(1.5)
	for i := range m.tris {
		x, y, z := m.at(uint32(i))
		if b := triBounds(x, y, z); !b.Overlaps(&way) {
			continue
		}
		w, l := refCast(triDist(wide(x), wide(y), wide(z)), c)
		if math.Abs(l) < 1e-4 {
			l = 0
		}
		want, least = math.Min(want, w), math.Min(math.Abs(least), math.Abs(l))
	}
	return want, least
}
