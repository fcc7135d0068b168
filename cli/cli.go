// Package cli gives any game its commands:
//
//	func main() { cli.Main(mygame.Game, mygame.Bot) }
//
// serve runs a server; bot plays on one; demo runs a server, bots and a page to
// play in; lab plays matches in virtual time. The same main, compiled for the
// browser, is that page's client: it shows what Game.Scene (or, flat, Game.Draw)
// says and reads keys, fingers and gamepads as Game.Keys says.
package cli

import (
	"time"

	"github.com/foretick/foretick/impair"
)

// link is a simulated link, the same in both directions.
type link struct {
	rtt, jitter time.Duration // jitter and loss are per direction
	loss        float64
	burst       float64 // mean length of a run of losses in packets; 0: each by itself
}

// config returns one direction of it, nil if it is perfect.
func (l link) config() *impair.Config {
	if l == (link{}) {
		return nil
	}
	c := impair.RTT(l.rtt)
	c.Jitter, c.Loss = l.jitter, l.loss
	if l.burst > 0 {
		c.Loss = 0
		c.BurstLoss, c.BurstLen = impair.Bursts(l.loss, l.burst)
	}
	return &c
}
