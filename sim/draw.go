package sim

import (
	"time"

	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/tick"
)

// Draw sets how the demo's page shows the game where it has no third dimension
// (see Scene): a function that puts flat shapes into a picture, once a frame.
// It is for demos and debugging; a real front end reads the world itself.
func (g *Game) Draw(f func(*Picture)) *Game {
	g.mustBeOpen()
	g.draw = f
	return g
}

// Keys sets how the keyboard, fingers or gamepad of the demo's page become
// input, once a frame.
func (g *Game) Keys(f func(Keys, Sampler)) *Game {
	g.mustBeOpen()
	g.keys = f
	return g
}

// Drawing returns what Draw and Keys set; either may be nil.
func (g *Game) Drawing() (func(*Picture), func(Keys, Sampler)) { return g.draw, g.keys }

// Keys is a stick, each way -1 to 1, y up (of arrow keys or WASD each -1, 0 or
// 1), and how often the button, or the space bar, was pressed since the last
// frame.
type Keys struct {
	X, Y  float32
	Space int
}

// Colour is 0xRRGGBB.
type Colour uint32

// Shown is an effect that was shown Age ago.
type Shown struct {
	Effect
	Age time.Duration
}

// Picture is one frame of a game: what there is to draw, and the shapes drawn.
// Lengths are the game's; y points up. Shapes drawn later cover earlier ones.
type Picture struct {
	World   *ecs.World // as shown
	Me      tick.Entity
	Player  Player
	Effects []Shown // recent ones, oldest first

	// MinX to MaxY is what the page shows; the game sets it.
	MinX, MinY, MaxX, MaxY float32

	// OwnX, OwnY is where the player is, and OwnKnown that he is anywhere:
	// the game sets them with Own.
	OwnX, OwnY float32
	OwnKnown   bool

	// Shapes has ShapeSize numbers for each shape: kind, x, y, two lengths,
	// line width (0: filled), colour, opacity.
	Shapes []float32
}

// ShapeSize is the numbers of a shape in Picture.Shapes.
const ShapeSize = 8

// Kinds of shapes, the first number of each.
const (
	ShapeCircle = iota // centre, radius, -
	ShapeRect          // corner of least x and y, width, height
	ShapeLine          // from, to
	ShapeNumber        // centre, height, value
)

// Begin empties the picture.
func (p *Picture) Begin() { p.Shapes, p.OwnKnown = p.Shapes[:0], false }

// View says what the page shows.
func (p *Picture) View(minX, minY, maxX, maxY float32) {
	p.MinX, p.MinY, p.MaxX, p.MaxY = minX, minY, maxX, maxY
}

// Own says where the player is.
func (p *Picture) Own(x, y float32) { p.OwnX, p.OwnY, p.OwnKnown = x, y, true }

// Circle draws a disc, or with a line width a ring. Opacity is 0 to 1.
func (p *Picture) Circle(x, y, r, line float32, c Colour, opacity float32) {
	p.shape(ShapeCircle, x, y, r, 0, line, c, opacity)
}

// Rect draws a rectangle, or with a line width its outline.
func (p *Picture) Rect(x, y, w, h, line float32, c Colour, opacity float32) {
	p.shape(ShapeRect, x, y, w, h, line, c, opacity)
}

// Line draws a line.
func (p *Picture) Line(x0, y0, x1, y1, line float32, c Colour, opacity float32) {
	p.shape(ShapeLine, x0, y0, x1, y1, line, c, opacity)
}

// Number writes a whole number.
func (p *Picture) Number(x, y, height float32, n int, c Colour, opacity float32) {
	p.shape(ShapeNumber, x, y, height, float32(n), 0, c, opacity)
}

func (p *Picture) shape(kind int, x, y, a, b, line float32, c Colour, opacity float32) {
	p.Shapes = append(p.Shapes, float32(kind), x, y, a, b, line, float32(c&0xffffff), opacity)
}
