package level

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/foretick/foretick/geom"
)

// glb puts a file together.
func glb(text string, bin []byte) []byte {
	for len(text)%4 != 0 {
		text += " "
	}
	var b []byte
	u := func(x int) { b = binary.LittleEndian.AppendUint32(b, uint32(x)) }
	u(magic)
	u(2)
	u(12 + 8 + len(text) + 8 + len(bin))
	u(len(text))
	u(chunkJSON)
	b = append(b, text...)
	u(len(bin))
	u(chunkBIN)
	return append(b, bin...)
}

func floats(x ...float32) (b []byte) {
	for _, f := range x {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
	}
	return b
}

func shorts(x ...int) (b []byte) {
	for _, i := range x {
		b = binary.LittleEndian.AppendUint16(b, uint16(i))
	}
	return b
}

// quad is four corners of a unit square in the XZ plane.
var quad = floats(0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1)

// one describes a file with one mesh: a primitive's members, accessors and
// views; the buffer has n bytes.
func one(primitive, accessors, views string, n int) string {
	return fmt.Sprintf(`{"asset":{"version":"2.0"},"nodes":[{"mesh":0}],"meshes":[{"primitives":[{%s}]}],
		"accessors":[%s],"bufferViews":[%s],"buffers":[{"byteLength":%d}]}`, primitive, accessors, views, n)
}

const position = `{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}`
const view48 = `{"buffer":0,"byteLength":48}`

func TestRead(t *testing.T) {
	four := []geom.Vec3{{}, {X: 1}, {Z: 1}, {X: 1, Z: 1}}
	bytes8 := append(bytes.Clone(quad), 0, 2, 1, 1, 2, 3)
	for _, c := range []struct {
		name, text string
		bin        []byte
		v          []geom.Vec3
		tri        [][3]uint32
	}{
		{"list without indices", one(`"attributes":{"POSITION":0}`, strings.Replace(position, `4,`, `3,`, 1), view48, 48), quad,
			four[:3], [][3]uint32{{0, 1, 2}}},
		{"strip", one(`"attributes":{"POSITION":0},"mode":5`, position, view48, 48), quad, four, [][3]uint32{{0, 1, 2}, {1, 3, 2}}},
		{"fan", one(`"attributes":{"POSITION":0},"mode":6`, position, view48, 48), quad, four, [][3]uint32{{1, 2, 0}, {2, 3, 0}}},
		{"lines", one(`"attributes":{"POSITION":0},"mode":1`, position, view48, 48), quad, nil, nil},
		{"bytes", one(`"attributes":{"POSITION":0},"indices":1`, position+`,{"bufferView":1,"componentType":5121,"count":6,"type":"SCALAR"}`,
			view48+`,{"buffer":0,"byteOffset":48,"byteLength":6}`, 54), bytes8, four, [][3]uint32{{0, 2, 1}, {1, 2, 3}}},
		{"shorts in a strip that turns back", one(`"attributes":{"POSITION":0},"indices":1,"mode":5`,
			position+`,{"bufferView":1,"componentType":5123,"count":5,"type":"SCALAR"}`,
			view48+`,{"buffer":0,"byteOffset":48,"byteLength":10}`, 58), append(bytes.Clone(quad), shorts(0, 1, 1, 2, 3)...),
			four, [][3]uint32{{1, 2, 3}}},
		{"shorts, normalized, 8 apart", one(`"attributes":{"POSITION":0}`, `{"bufferView":0,"componentType":5122,"normalized":true,"count":3,"type":"VEC3"}`,
			`{"buffer":0,"byteLength":24,"byteStride":8}`, 24), shorts(32767, 0, 0, 9, 0, -32768, 0, 9, 0, 0, -32767, 9),
			[]geom.Vec3{{X: 1}, {Y: -1}, {Z: -1}}, [][3]uint32{{0, 1, 2}}},
		{"sparse alone", one(`"attributes":{"POSITION":0}`, `{"componentType":5126,"count":3,"type":"VEC3","sparse":{"count":2,
			"indices":{"bufferView":0,"componentType":5123},"values":{"bufferView":0,"byteOffset":4}}}`,
			`{"buffer":0,"byteLength":28}`, 28), append(shorts(1, 2), floats(1, 0, 0, 0, 0, 1)...),
			four[:3], [][3]uint32{{0, 1, 2}}},
	} {
		v, tri, err := Read(glb(c.text, c.bin))
		if err != nil || fmt.Sprint(v, tri) != fmt.Sprint(c.v, c.tri) {
			t.Errorf("%s: %v %v %v; want %v %v", c.name, v, tri, err, c.v, c.tri)
		}
	}
}

func TestNodes(t *testing.T) {
	rest := `"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
		"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36}]}`
	bin := floats(0, 0, 0, 1, 0, 0, 0, 1, 0)
	h := float32(math.Sqrt2 / 2)
	for _, c := range []struct {
		name, nodes string
		v           []geom.Vec3
		tri         string
	}{
		{"the parent last", `"nodes":[{"children":[1],"translation":[10,0,0],"scale":[2,2,2]},{"mesh":0,"translation":[0,0,3]}]`,
			[]geom.Vec3{{X: 10, Z: 6}, {X: 12, Z: 6}, {X: 10, Y: 2, Z: 6}}, "[[0 1 2]]"},
		{"a quarter turn about y", fmt.Sprintf(`"nodes":[{"mesh":0,"rotation":[0,%v,0,%v],"translation":[5,0,0]}]`, h, h),
			[]geom.Vec3{{X: 5}, {X: 5, Z: -1}, {X: 5, Y: 1}}, "[[0 1 2]]"},
		{"a matrix", `"nodes":[{"mesh":0,"matrix":[0,0,-1,0, 0,1,0,0, 1,0,0,0, 5,0,0,1]}]`,
			[]geom.Vec3{{X: 5}, {X: 5, Z: -1}, {X: 5, Y: 1}}, "[[0 1 2]]"},
		{"a mirror", `"nodes":[{"mesh":0,"scale":[-1,1,1]}]`, []geom.Vec3{{}, {X: -1}, {Y: 1}}, "[[0 2 1]]"},
		{"the chosen scene", `"nodes":[{"mesh":0},{"mesh":0,"translation":[1,0,0]}],"scenes":[{"nodes":[0]},{"nodes":[1]}],"scene":1`,
			[]geom.Vec3{{X: 1}, {X: 2}, {X: 1, Y: 1}}, "[[0 1 2]]"},
		{"one mesh twice", `"nodes":[{"mesh":0},{"mesh":0,"translation":[0,0,1]}]`,
			[]geom.Vec3{{}, {X: 1}, {Y: 1}, {Z: 1}, {X: 1, Z: 1}, {Y: 1, Z: 1}}, "[[0 1 2] [3 4 5]]"},
	} {
		v, tri, err := Read(glb(`{"asset":{"version":"2.0"},`+c.nodes+","+rest, bin))
		if err != nil || len(v) != len(c.v) || fmt.Sprint(tri) != c.tri {
			t.Errorf("%s: %v %v %v; want %v %v", c.name, v, tri, err, c.v, c.tri)
			continue
		}
		for i := range v {
			if v[i].Dist(c.v[i]) > 1e-6 {
				t.Errorf("%s: vertex %d at %v, want %v", c.name, i, v[i], c.v[i])
			}
		}
	}
}

// A hostile file is refused, in words, without much memory.
func TestHostile(t *testing.T) {
	ok := one(`"attributes":{"POSITION":0},"mode":5`, position, view48, 48)
	if _, _, err := Read(glb(ok, quad)); err != nil {
		t.Fatal(err) // else nothing below shows anything
	}
	change := func(old, by string) []byte {
		s := strings.Replace(ok, old, by, 1)
		if s == ok {
			t.Fatalf("%q is not in it", old)
		}
		return glb(s, quad)
	}
	whole := glb(ok, quad)
	long := bytes.Clone(whole)
	binary.LittleEndian.PutUint32(long[12:], 1<<31)
	many := `{"asset":{"version":"2.0"},"nodes":[` + strings.Repeat(`{"mesh":0},`, 20000) + `{"mesh":0}],"meshes":[{"primitives":[` +
		strings.Repeat(`{"attributes":{}},`, 20000) + `{"attributes":{}}]}]}`
	deep := `{"asset":{"version":"2.0"},"nodes":[`
	for i := range 99 {
		deep += fmt.Sprintf(`{"children":[%d]},`, i+1)
	}
	for _, c := range []struct {
		want string
		file []byte
	}{
		{"not a glTF", nil},
		{"not a glTF", []byte("solid cube")},
		{"says it has", whole[:len(whole)-1]},
		{"in the last", long},
		{"JSON", glb(`{"asset":`, quad)},
		{"version", change(`"2.0"`, `"1.0"`)},
		{"buffer 0 of 0", change(`{"byteLength":48}]`, `]`)},
		{"outside its buffer", glb(strings.Replace(ok, `{"byteLength":48}]`, `null]`, 1), quad)},
		{"its chunk", change(`{"byteLength":48}]`, `{"byteLength":2000000000}]`)},
		{"its chunk", change(`{"byteLength":48}]`, `{"byteLength":-4294967295}]`)},
		{"outside the file", change(`{"byteLength":48}]`, `{"byteLength":48,"uri":"../secret"}]`)},
		{"outside its buffer", change(view48, `{"buffer":0,"byteOffset":9223372036854775807,"byteLength":48}`)},
		{"outside its buffer", change(view48, `{"buffer":0,"byteLength":49}`)},
		{"stride", change(view48, `{"buffer":0,"byteLength":48,"byteStride":1}`)},
		{"apart", change(view48, `{"buffer":0,"byteLength":48,"byteStride":8}`)},
		{"elements", change(`"count":4`, `"count":5`)},
		{"more than", change(`"count":4`, `"count":2000000000`)},
		{"accessor 0", change(`"count":4`, `"count":-1`)},
		{"component type 5124", change(`5126`, `5124`)},
		{"VEC2", change(`VEC3`, `VEC2`)},
		{"normalized", change(`"count"`, `"normalized":true,"count"`)},
		{"mode 7", change(`"mode":5`, `"mode":7`)},
		{"no triangles", change(`"mode":5`, `"mode":4`)},
		{"accessor 9 of 1", change(`"POSITION":0`, `"POSITION":9`)},
		{"accessor 9 of 1", change(`"mode":5`, `"indices":9`)},
		{"indices of component", change(`"mode":5`, `"indices":0`)},
		{"node 7", change(`{"mesh":0}`, `{"mesh":0,"children":[7]}`)},
		{"two parents", change(`"nodes":[{"mesh":0}]`, `"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0,"children":[0]}]`)},
		{"mesh -1", change(`{"mesh":0}`, `{"mesh":-1}`)},
		{"not finite", change(`{"mesh":0}`, `{"mesh":0,"scale":[1e300,1e300,1e300]}`)},
		{"unit length", change(`{"mesh":0}`, `{"mesh":0,"rotation":[0,0,0,0]}`)},
		{"scene 3", change(`"nodes"`, `"scene":3,"nodes"`)},
		{"draco", change(`"nodes"`, `"extensionsRequired":["KHR_draco_mesh_compression"],"nodes"`)},
		{"accessor 0", change(`"bufferView":0,`, ``)},
		{"primitives, vertices", glb(many, nil)},
		{"deep", glb(deep+`{}]}`, nil)},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		v, tri, err := Read(c.file)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), c.want) || v != nil || tri != nil {
			t.Errorf("%v, want %q: %.300s", err, c.want, c.file)
		}
		if got := after.TotalAlloc - before.TotalAlloc; got > 16<<20+100*uint64(len(c.file)) {
			t.Errorf("%q: %d bytes for a file of %d", c.want, got, len(c.file))
		}
	}
}

// maps are the real ones; absent in a clone of the project alone.
func maps(t testing.TB) []string {
	files, _ := filepath.Glob("../../shared/data/levels/*.glb")
	if len(files) == 0 {
		t.Skip("no ../shared/data/levels beside the project")
	}
	return files
}

func TestMaps(t *testing.T) {
	want := map[string]string{ // triangles with an area, 2 and 9 have none; box
		"dm6ish.glb":   "5697 {-40.25 -13.5 -44} {44 25.25 38}",
		"oa_koth1.glb": "8664 {-41.25 -40 -41} {36.16455 28 55.5}",
	}
	for _, file := range maps(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		v, tri, err := Read(data)
		if err != nil {
			t.Fatal(file, err)
		}
		lo, hi := v[0], v[0]
		for _, p := range v {
			lo = geom.Vec3{X: min(lo.X, p.X), Y: min(lo.Y, p.Y), Z: min(lo.Z, p.Z)}
			hi = geom.Vec3{X: max(hi.X, p.X), Y: max(hi.Y, p.Y), Z: max(hi.Z, p.Z)}
		}
		if got := fmt.Sprint(len(tri), " ", lo, " ", hi); got != want[filepath.Base(file)] {
			t.Errorf("%s: %s", file, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(glb(one(`"attributes":{"POSITION":0},"mode":5`, position, view48, 48), quad))
	f.Add(glb(one(`"attributes":{"POSITION":0}`, `{"componentType":5126,"count":3,"type":"VEC3","sparse":{"count":2,
		"indices":{"bufferView":0,"componentType":5123},"values":{"bufferView":0,"byteOffset":4}}}`,
		`{"buffer":0,"byteLength":28}`, 28), append(shorts(1, 2), floats(1, 0, 0, 0, 0, 1)...)))
	f.Fuzz(func(t *testing.T, b []byte) {
		v, tri, err := Read(b)
		if err != nil && (v != nil || tri != nil) {
			t.Fatal("an error and a mesh")
		}
		for _, x := range tri {
			for _, i := range x {
				if int(i) >= len(v) || !v[i].Finite() {
					t.Fatalf("triangle %v of %d vertices", x, len(v))
				}
			}
		}
	})
}
