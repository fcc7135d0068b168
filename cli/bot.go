//go:build !js

package cli

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/foretick/foretick/client"
	"github.com/foretick/foretick/replica"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/transport"
)

func (a *app) bots(args []string) error {
	var (
		url     string
		n       int
		seconds float64
		l       link
	)
	f := a.flags("bot", "play on a server with bots")
	f.StringVar(&url, "url", "ws://localhost:7777/", "server; http:// and https:// use WebTransport where it works")
	f.IntVar(&n, "n", 1, "number of bots")
	f.Float64Var(&seconds, "seconds", 0, "how long to play; 0: until interrupted")
	linkFlags(f, &l)
	if err := a.parse(f, args); err != nil {
		return err
	}
	if a.bot == nil {
		return errors.New("this game has no bot: give cli.Main one")
	}
	ctx := a.ctx
	if seconds > 0 {
		c, cancel := context.WithTimeout(ctx, time.Duration(seconds*float64(time.Second)))
		defer cancel()
		ctx = c
	}
	cfg := client.Config{Replica: replica.Config{Bot: a.bot}, Up: l.config(), Down: l.config()}
	played := make([]botReport, n)
	var work sync.WaitGroup
	for i := range n {
		work.Go(func() { played[i] = playBot(ctx, url, a.game, cfg) })
	}
	work.Wait()
	var err error
	for _, p := range played {
		if p.err != nil {
			err = p.err
			continue
		}
		fmt.Fprintln(a.out, p)
	}
	return err
}

// botReport is what a bot has to tell of its match.
type botReport struct {
	err     error
	player  sim.Player
	state   replica.State
	carrier transport.Carrier
	seconds float64 // since it was in
	ticks   int     // predicted meanwhile
	breaks  int
	own     int     // corrections of what the player owns
	moved   float64 // metres by which they did, in all
	stats   replica.Stats
}

// playBot plays until ctx is done or the server says no.
func playBot(ctx context.Context, url string, g *sim.Game, cfg client.Config) (b botReport) {
	c, err := client.Dial(ctx, url, g, cfg)
	if err != nil {
		b.err = err
		return b
	}
	defer c.Close()
	frame := time.NewTicker(time.Second / time.Duration(g.Hz()))
	defer frame.Stop()
	var first, last uint32
	var since time.Time
	for {
		select {
		case <-frame.C:
		case <-ctx.Done():
			b.ticks = int(last - first)
			b.stats, b.breaks, b.carrier = c.Stats(), c.Breaks(), c.Carrier()
			if b.state, _ = c.State(); !since.IsZero() {
				b.seconds = time.Since(since).Seconds()
			}
			return b
		}
		c.Frame()
		switch s, why := c.State(); s {
		case replica.Refused, replica.Closed:
			b.err = errors.New("the server said: " + why)
			return b
		case replica.Playing:
			c.Replica(func(r *replica.Replica) {
				last, b.player = uint32(r.Predictor().Now()), r.Player()
				b.note(r.Corrections())
			})
			if since.IsZero() {
				since, first = time.Now(), last
			}
		}
	}
}

func (b *botReport) note(fixed []replica.Correction) {
	for _, f := range fixed {
		if f.Own > 0 {
			b.own++
			b.moved += float64(f.Own)
		}
	}
}

func (b botReport) String() string {
	s, p := &b.stats, &b.stats.Predict
	return fmt.Sprintf("bot player=%d state=%v transport=%s seconds=%.1f ticks=%d holes=%d unsampled=%d rtt=%v loss=%.3f "+
		"lead=%.1f margin=%.1f delay=%.1f jumps=%d resumes=%d breaks=%d compared=%d mispredicted=%d own_corrected=%d own_mean=%.3f replayed=%d repairs=%d resets=%d in=%d out=%d",
		b.player, b.state, b.carrier, b.seconds, b.ticks, s.Counters.Holes, s.Counters.Unsampled, s.RTT.Round(time.Millisecond), s.Loss,
		s.Lead, s.Margin, s.Delay, s.Jumps, s.Reconnect, b.breaks, p.Compared, p.Mispredicted, b.own, b.moved/float64(max(b.own, 1)), p.Replayed, p.Repairs, p.Resets,
		s.Counters.Bytes, s.Counters.SentBytes)
}
