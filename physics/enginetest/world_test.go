package enginetest

import (
	"testing"

	"github.com/foretick/foretick/physics"
)

func newWorld(cfg physics.Config) (physics.Engine, error) { return physics.New(cfg), nil }

// TestWorld puts the house's own engine to the suite.
func TestWorld(t *testing.T) { Test(t, newWorld) }
