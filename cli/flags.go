//go:build !js

package cli

import (
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// flags makes the flag set of a command.
func (a *app) flags(command, what string) *flag.FlagSet {
	f := flag.NewFlagSet(a.program+" "+command, flag.ContinueOnError)
	f.SetOutput(io.Discard) // parse reports, in one line
	what = strings.ToUpper(what[:1]) + what[1:] + "."
	f.Usage = func() {
		f.SetOutput(a.out)
		fmt.Fprintf(a.out, "%s\n\n  %s [flags]\n\n", what, f.Name())
		f.PrintDefaults()
	}
	return f
}

// parse reads the flags; what is wrong is said in one line.
func (a *app) parse(f *flag.FlagSet, args []string) error {
	for _, arg := range args {
		switch arg {
		case "-h", "-help", "--help":
			f.Usage()
			return flag.ErrHelp
		}
	}
	f.Usage = func() {}
	if err := f.Parse(args); err != nil {
		text := strings.ReplaceAll(err.Error(), "flag provided but not defined", "no such flag")
		return usageError(fmt.Sprintf("%s; %s -h lists the flags", text, f.Name()))
	}
	if f.NArg() > 0 {
		return usageError(fmt.Sprintf("%q is too much; %s -h lists the flags", f.Arg(0), f.Name()))
	}
	return nil
}

// linkFlags are the simulated link.
func linkFlags(f *flag.FlagSet, l *link) {
	f.Var((*millis)(&l.rtt), "rtt", "round trip `time` of a simulated link, as 150ms or 150; half each way")
	f.Var((*millis)(&l.jitter), "jitter", "its jitter (standard deviation), each way")
	f.Var((*share)(&l.loss), "loss", "`share` of packets it loses, each way, as 0.1 or 10%")
}

// millis is a duration; a bare number is milliseconds.
type millis time.Duration

func (m *millis) String() string { return time.Duration(*m).String() }

func (m *millis) Set(s string) error {
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		s += "ms"
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 || d > time.Minute {
		return fmt.Errorf("want a time such as 150ms")
	}
	*m = millis(d)
	return nil
}

// share is a number from 0 to 1, or a percentage.
type share float64

func (x *share) String() string { return strconv.FormatFloat(float64(*x), 'g', -1, 64) }

func (x *share) Set(s string) error {
	digits, percent := strings.CutSuffix(s, "%")
	v, err := strconv.ParseFloat(digits, 64)
	if percent {
		v /= 100
	}
	if err != nil || !(v >= 0 && v <= 1) {
		return fmt.Errorf("want a share such as 0.1 or 10%%")
	}
	*x = share(v)
	return nil
}
