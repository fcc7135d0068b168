package level

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/foretick/foretick/geom"
)

const (
	magic     = 0x46546c67 // "glTF"
	chunkJSON = 0x4e4f534a
	chunkBIN  = 0x004e4942
)

// Read returns the triangles of a glTF 2.0 binary file, in metres with Y up as
// glTF has it: those of its scene (the default one, else the first, else all
// nodes), in the order of the nodes. Triangle strips and fans are taken apart.
// Triangles without area are left out, and so are points and lines. Skins and
// morph targets stay at rest. At most two million triangles are taken.
//
// What a reader of the specification would refuse is an error, and so are
// buffers outside the file and compressed meshes.
func Read(glb []byte) (vertices []geom.Vec3, triangles [][3]uint32, err error) {
	d, err := parse(glb)
	if err != nil {
		return nil, nil, fmt.Errorf("level: %w", err)
	}
	r := reader{doc: d, seen: make([]bool, len(d.Nodes))}
	if err := r.scene(); err != nil {
		return nil, nil, fmt.Errorf("level: %w", err)
	}
	return r.vertices, r.triangles, nil
}

// document is what is read of the JSON.
type document struct {
	Asset struct{ Version, MinVersion string }

	ExtensionsRequired []string

	Scene  *int
	Scenes []struct{ Nodes []int }
	Nodes  []node
	Meshes []struct{ Primitives []primitive }

	Accessors   []accessor
	BufferViews []bufferView
	Buffers     []struct {
		URI        *string
		ByteLength int
	}

	bin []byte // the file's binary chunk
}

type node struct {
	Mesh        *int
	Children    []int
	Matrix      *[16]float64
	Translation *[3]float64
	Rotation    *[4]float64
	Scale       *[3]float64
}

type primitive struct {
	Attributes map[string]int
	Indices    *int
	Mode       *int
}

type accessor struct {
	BufferView    *int
	ByteOffset    int
	ComponentType int
	Normalized    bool
	Count         int
	Type          string
	Sparse        *struct {
		Count   int
		Indices struct{ BufferView, ByteOffset, ComponentType int }
		Values  struct{ BufferView, ByteOffset int }
	}
}

type bufferView struct{ Buffer, ByteOffset, ByteLength, ByteStride int }

func parse(glb []byte) (*document, error) {
	if len(glb) < 12 || binary.LittleEndian.Uint32(glb) != magic {
		return nil, fmt.Errorf("not a glTF binary file")
	}
	if v := binary.LittleEndian.Uint32(glb[4:]); v != 2 {
		return nil, fmt.Errorf("glTF binary version %d, want 2", v)
	}
	if n := binary.LittleEndian.Uint32(glb[8:]); uint64(n) > uint64(len(glb)) || n < 12 {
		return nil, fmt.Errorf("the file says it has %d bytes and has %d", n, len(glb))
	} else {
		glb = glb[12:n]
	}
	text, rest, err := chunk(glb, chunkJSON)
	if err != nil {
		return nil, err
	}
	if len(text) > maxJSON {
		return nil, fmt.Errorf("a JSON chunk of %d bytes, at most %d", len(text), maxJSON)
	}
	d := new(document)
	if err := json.Unmarshal(text, d); err != nil {
		return nil, fmt.Errorf("the JSON chunk: %w", err)
	}
	if len(rest) > 0 && len(rest) >= 8 && binary.LittleEndian.Uint32(rest[4:]) == chunkBIN {
		if d.bin, _, err = chunk(rest, chunkBIN); err != nil {
			return nil, err
		}
	}
	return d, d.readable()
}

// chunk returns the content of the first chunk, and what follows it.
func chunk(b []byte, kind uint32) (content, rest []byte, err error) {
	if len(b) < 8 {
		return nil, nil, fmt.Errorf("the file ends where a chunk should begin")
	}
	n, k := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])
	if k != kind {
		return nil, nil, fmt.Errorf("a chunk of type %#x, want %#x", k, kind)
	}
	if b = b[8:]; uint64(n) > uint64(len(b)) {
		return nil, nil, fmt.Errorf("a chunk of %d bytes in the last %d", n, len(b))
	}
	return b[:n], b[n:], nil
}

// readable refuses files that need more than this package knows.
func (d *document) readable() error {
	if v := d.Asset.Version; v != "2" && !strings.HasPrefix(v, "2.") {
		return fmt.Errorf("glTF version %q, want 2", v)
	}
	if v := d.Asset.MinVersion; v != "" && v != "2.0" {
		return fmt.Errorf("needs a reader of glTF %q", v)
	}
	for _, x := range d.ExtensionsRequired {
		switch {
		case x == "KHR_mesh_quantization", strings.HasPrefix(x, "KHR_materials_"), strings.HasPrefix(x, "KHR_texture_"),
			strings.HasPrefix(x, "EXT_texture_"), x == "KHR_lights_punctual":
		default:
			return fmt.Errorf("needs the extension %q", x)
		}
	}
	return nil
}

// at checks an index of the file.
func at[T any](list []T, i int, what string) (*T, error) {
	if i < 0 || i >= len(list) {
		return nil, fmt.Errorf("%s %d of %d", what, i, len(list))
	}
	return &list[i], nil
}

// view returns the bytes of a buffer view. Only the file's own binary chunk
// is a buffer: another would have to be fetched, or hides in the JSON.
func (d *document) view(i int) ([]byte, *bufferView, error) {
	v, err := at(d.BufferViews, i, "buffer view")
	if err != nil {
		return nil, nil, err
	}
	b, err := at(d.Buffers, v.Buffer, "buffer")
	if err != nil {
		return nil, nil, err
	}
	if b.URI != nil || v.Buffer != 0 {
		return nil, nil, fmt.Errorf("buffer %d is outside the file", v.Buffer)
	}
	if b.ByteLength < 0 || b.ByteLength > len(d.bin) {
		return nil, nil, fmt.Errorf("buffer %d has %d bytes, its chunk %d", v.Buffer, b.ByteLength, len(d.bin))
	}
	data := d.bin[:b.ByteLength]
	if v.ByteOffset < 0 || v.ByteLength < 0 || v.ByteOffset > len(data) || v.ByteLength > len(data)-v.ByteOffset {
		return nil, nil, fmt.Errorf("buffer view %d is outside its buffer", i)
	}
	if v.ByteStride != 0 && (v.ByteStride < 4 || v.ByteStride > 252) {
		return nil, nil, fmt.Errorf("buffer view %d has a stride of %d", i, v.ByteStride)
	}
	return data[v.ByteOffset : v.ByteOffset+v.ByteLength], v, nil
}
