package hello

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

func TestPlay(t *testing.T) {
	screen, server := Play(300)
	t.Logf("after 5 s the screen has the dot at %.2f m, the server at %.2f m", screen.Pos.X, server.Pos.X)
	// Within a second a player plays; then it is 5 metres a second.
	if server.Pos.X < 15 || server.Pos.X > 25 {
		t.Errorf("the server has the dot at %v", server.Pos)
	}
	ahead := screen.Pos.X - server.Pos.X
	if ahead <= 0 || ahead > 1 || screen.Pos.Y != 0 {
		t.Errorf("the screen has the dot at %v, the server at %v", screen.Pos, server.Pos)
	}
	if again, _ := Play(300); again != screen {
		t.Errorf("played again it is at %v, not %v", again.Pos, screen.Pos)
	}
}

// The page shows every player's dot, and knows which is his.
func TestDraw(t *testing.T) {
	draw, keys := Game.Drawing()
	w := Game.NewWorld()
	var me tick.Entity
	for range 2 {
		me, _ = w.Create(1)
		w.Column(Dots.Column()).Add(me)
	}
	pic := sim.Picture{World: w, Me: me}
	draw(&pic)
	if len(pic.Shapes) != 2*sim.ShapeSize || !pic.OwnKnown {
		t.Errorf("the picture of 2 dots has %v, own known: %v", pic.Shapes, pic.OwnKnown)
	}
	Game.Seal()
	pressed, right := sim.NewSample(Game), sim.NewSample(Game)
	keys(sim.Keys{X: 1}, pressed)
	Sticks.Set(right, Stick{Move: geom.V2(1, 0)})
	got, want := make([]byte, Game.InputSize()), make([]byte, Game.InputSize())
	pressed.Take(got)
	right.Take(want)
	if !bytes.Equal(got, want) {
		t.Errorf("the right arrow gives the input %x, want %x", got, want)
	}
}

// The first code block of the README is this package, word for word from its
// first type on.
func TestReadme(t *testing.T) {
	read := func(name string) string {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	_, code, ok := strings.Cut(read("hello.go"), "\n)\n\n") // the imports
	if !ok {
		t.Fatal("hello.go has no imports")
	}
	_, rest, _ := strings.Cut(read("../../README.md"), "```")
	lang, rest, _ := strings.Cut(rest, "\n")
	block, _, ok := strings.Cut(rest, "```")
	if !ok || lang != "go" {
		t.Fatal("the README's first block is not Go")
	}
	if block != code {
		t.Error("the README's first block is not hello.go from its first type on")
	}
}
