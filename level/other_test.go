package level

import (
	"bytes"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/foretick/foretick/geom"
	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"
)

// What another package writes, we read; what it reads of the maps, we do too.
func TestAnotherWriter(t *testing.T) {
	const seed = 7
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 100 {
		doc := gltf.NewDocument()
		var want []geom.Vec3
		mesh := &gltf.Mesh{}
		for range 1 + rng.IntN(3) {
			at := make([][3]float32, 3+rng.IntN(400))
			index := make([]uint32, 3*(1+rng.IntN(400)))
			for i := range at {
				at[i] = [3]float32{rng.Float32(), rng.Float32(), rng.Float32()}
			}
			for i := range index { // corners of a triangle differ
				index[i] = uint32(rng.IntN(len(at)/3)*3 + i%3)
				p := at[index[i]]
				want = append(want, geom.Vec3{X: p[0], Y: p[1], Z: p[2]})
			}
			p := &gltf.Primitive{Attributes: gltf.PrimitiveAttributes{gltf.POSITION: modeler.WritePosition(doc, at)}}
			if rng.IntN(2) == 0 {
				short := make([]uint16, len(index))
				for i, x := range index {
					short[i] = uint16(x)
				}
				p.Indices = gltf.Index(modeler.WriteIndices(doc, short))
			} else {
				p.Indices = gltf.Index(modeler.WriteIndices(doc, index))
			}
			mesh.Primitives = append(mesh.Primitives, p)
		}
		doc.Meshes = append(doc.Meshes, mesh)
		doc.Nodes = append(doc.Nodes, &gltf.Node{Mesh: gltf.Index(0)})
		doc.Scenes[0].Nodes = []int{0}
		var b bytes.Buffer
		if err := gltf.NewEncoder(&b).Encode(doc); err != nil {
			t.Fatal(err)
		}
		v, tri, err := Read(b.Bytes())
		if err != nil || 3*len(tri) != len(want) {
			t.Fatalf("seed %d: %d triangles, want %d; %v", seed, len(tri), len(want)/3, err)
		}
		for i, x := range tri {
			for k := range x {
				if v[x[k]] != want[3*i+k] {
					t.Fatalf("seed %d: triangle %d, corner %d at %v, want %v", seed, i, k, v[x[k]], want[3*i+k])
				}
			}
		}
	}
}

func TestAnotherReader(t *testing.T) {
	for _, file := range maps(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		v, tri, err := Read(data)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := gltf.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		p := doc.Meshes[0].Primitives[0]
		at, err := modeler.ReadPosition(doc, doc.Accessors[p.Attributes[gltf.POSITION]], nil)
		if err != nil {
			t.Fatal(err)
		}
		index, err := modeler.ReadIndices(doc, doc.Accessors[*p.Indices], nil)
		if err != nil {
			t.Fatal(err)
		}
		k := 0 // those without area are left out, in order
		for i := 0; i < len(index); i += 3 {
			var want [3]geom.Vec3
			for c := range want {
				p := at[index[i+c]]
				want[c] = geom.Vec3{X: p[0], Y: p[1], Z: p[2]}
			}
			if k < len(tri) && want == [3]geom.Vec3{v[tri[k][0]], v[tri[k][1]], v[tri[k][2]]} {
				k++
			} else if n := want[1].Sub(want[0]).Cross(want[2].Sub(want[0])); n.Len() > 1e-4 {
				t.Fatalf("%s: triangle %d, %v, is missing", file, i/3, want)
			}
		}
		if k != len(tri) {
			t.Fatalf("%s: %d triangles more", file, len(tri)-k)
		}
	}
}
