//go:build !js

package cli

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/foretick/foretick/impair"
	"github.com/foretick/foretick/lab"
)

// labLink is the link of lab run: every parameter for both directions, or, as
// -up.X and -down.X, for one, which wins wherever it stands.
type labLink struct {
	traces map[string]*impair.Trace
	given  []labGiven
}

type labGiven struct {
	direction string // "", "up." or "down."
	set       func(*impair.Config, string) error
	value     string
}

// labFlag takes one parameter of one direction.
type labFlag struct {
	l         *labLink
	direction string
	param     *labParam
}

func (f *labFlag) String() string { return "" }

// Set tries the value at once, so that what is wrong is said with its flag.
func (f *labFlag) Set(v string) error {
	var c impair.Config
	if err := f.param.set(&c, v); err != nil {
		return err
	}
	f.l.given = append(f.l.given, labGiven{f.direction, f.param.set, v})
	return nil
}

type labParam struct {
	name, what string
	set        func(*impair.Config, string) error
}

func timeParam(name, what string, at func(*impair.Config) *time.Duration) labParam {
	return labParam{name, what, func(c *impair.Config, v string) error { return (*millis)(at(c)).Set(v) }}
}

func shareParam(name, what string, at func(*impair.Config) *float64) labParam {
	return labParam{name, what, func(c *impair.Config, v string) error { return (*share)(at(c)).Set(v) }}
}

func bytesParam(name, what string, at func(*impair.Config) *int) labParam {
	return labParam{name, what, func(c *impair.Config, v string) error {
		n, err := strconv.Atoi(v)
		if err != nil || n < 0 {
			return fmt.Errorf("want a number of bytes")
		}
		*at(c) = n
		return nil
	}}
}

var labParams = []labParam{
	timeParam("delay", "mean `time` on the way", func(c *impair.Config) *time.Duration { return &c.Delay }),
	timeParam("jitter", "its standard deviation, a `time`", func(c *impair.Config) *time.Duration { return &c.Jitter }),
	shareParam("loss", "`share` of packets lost, as 0.1 or 10%", func(c *impair.Config) *float64 { return &c.Loss }),
	shareParam("burst", "chance that a packet begins a burst of losses", func(c *impair.Config) *float64 { return &c.BurstLoss }),
	{"burstlen", "mean `packets` of a burst", func(c *impair.Config, v string) error {
		n, err := strconv.ParseFloat(v, 64)
		if err != nil || !(n >= 1 && n <= 1e6) {
			return fmt.Errorf("want a number of packets, 1 at least")
		}
		c.BurstLen = n
		return nil
	}},
	shareParam("dup", "`share` of packets that come twice", func(c *impair.Config) *float64 { return &c.Duplicate }),
	shareParam("reorder", "`share` of packets held back", func(c *impair.Config) *float64 { return &c.Reorder }),
	timeParam("reorderby", "for how long they are, a `time`", func(c *impair.Config) *time.Duration { return &c.ReorderBy }),
	bytesParam("bandwidth", "`bytes` a second, 0: unlimited", func(c *impair.Config) *int { return &c.Bandwidth }),
	bytesParam("queue", "`bytes` that wait for the bandwidth, 0: half a second's", func(c *impair.Config) *int { return &c.QueueLimit }),
	timeParam("stall", "`time` of a stall, one in every -stallevery", func(c *impair.Config) *time.Duration { return &c.StallFor }),
	timeParam("stallevery", "`time` that has one stall; default 10s", func(c *impair.Config) *time.Duration { return &c.StallEvery }),
}

// newLabLink declares the flags of a link.
func newLabLink(f *flag.FlagSet) *labLink {
	l := &labLink{traces: map[string]*impair.Trace{}}
	rtt := labParam{"rtt", "", func(c *impair.Config, v string) error {
		var d time.Duration
		err := (*millis)(&d).Set(v)
		c.Delay = d / 2
		return err
	}}
	trace := labParam{"trace", "", l.readTrace}
	f.Var(&labFlag{l, "", &rtt}, "rtt", "round trip `time`, half each way, as 150ms or 150")
	for i := range labParams {
		p := &labParams[i]
		f.Var(&labFlag{l, "", p}, p.name, p.what+"; -up."+p.name+" and -down."+p.name+" set one way")
		f.Var(&labFlag{l, "up.", p}, "up."+p.name, p.what+", to the server")
		f.Var(&labFlag{l, "down.", p}, "down."+p.name, p.what+", to the client")
	}
	f.Var(&labFlag{l, "up.", &trace}, "trace.up", "Mahimahi `file` of the link to the server")
	f.Var(&labFlag{l, "down.", &trace}, "trace.down", "Mahimahi `file` of the link to the client")
	return l
}

func (l *labLink) readTrace(c *impair.Config, file string) error {
	if l.traces[file] == nil {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if l.traces[file], err = impair.ParseMahimahi(data); err != nil {
			return err
		}
	}
	c.Trace = l.traces[file]
	return nil
}

// link is what all the flags come to.
func (l *labLink) link() (lab.Link, error) {
	var up, down impair.Config
	for _, one := range []bool{false, true} { // what is for both first
		for _, g := range l.given {
			if (g.direction != "") != one {
				continue
			}
			if g.direction != "down." {
				if err := g.set(&up, g.value); err != nil {
					return lab.Link{}, err
				}
			}
			if g.direction != "up." {
				if err := g.set(&down, g.value); err != nil {
					return lab.Link{}, err
				}
			}
		}
	}
	for _, c := range []*impair.Config{&up, &down} {
		if c.StallFor > 0 && c.StallEvery == 0 {
			c.StallEvery = 10 * time.Second
		}
	}
	return lab.Link{RTT: up.Delay + down.Delay, Up: &up, Down: &down}, nil
}
