// Package cli gives any game its commands:
//
//	func main() { cli.Main(mygame.Game, mygame.Bot) }
//
// serve runs a server; bot plays on one; demo runs a server, bots and a plain
// page to play in; lab plays matches in virtual time. The same main, compiled
// for the browser, is that page's client: it draws what Game.Draw says and
// reads the keyboard as Game.Keys says.
package cli

import (
	"time"

	"github.com/foretick/foretick/impair"
)

// link is a simulated link, the same in both directions.
type link struct {
	rtt, jitter time.Duration // jitter and loss are per direction
	loss        float64
}

// config returns one direction of it, nil if it is perfect.
func (l link) config() *impair.Config {
	if l == (link{}) {
		return nil
	}
	c := impair.RTT(l.rtt)
	c.Jitter, c.Loss = l.jitter, l.loss
	return &c
}
