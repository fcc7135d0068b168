package cli

import "github.com/foretick/foretick/ecs"

// ghostServer is the world as the server has it now, nil if unknown.
func (p *page) ghostServer() *ecs.World { return nil }

// ghostSnapshot is the world as the last snapshot had it.
func (p *page) ghostSnapshot() *ecs.World { return nil }
