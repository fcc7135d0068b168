//go:build !js

package cli_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// holesMost is the share of a bot's ticks for which its input may have been
// missing on the server at 10 % loss: adaptive leads and repeated inputs leave
// few. The rest is for a machine that is busy with other tests.
const holesMost = 0.03

// wrongMost is the share of compared states that may be mispredicted, and
// movedMost by how many metres a tick corrections may move the own puck: it
// moves that far by itself at 9 m/s, and a prediction that is corrected by as
// much is worth nothing. Nine hunters push each other all the time, and what another player does is
// not predicted; but where nobody else has a hand in it, a state is right. If
// client and server computed differently, none would be.
const (
	wrongMost = 0.85
	movedMost = 0.15
)

// One server process and eight bot processes, half of them over WebTransport,
// play over real sockets with a simulated link of 150 ms and 10 % loss. A ninth has a link so bad that the
// check of the inputs must fail for it.
func TestSockets(t *testing.T) {
	seconds := 10
	switch {
	case os.Getenv("FORETICK_LONG") != "":
		seconds = 60
	case testing.Short():
		seconds = 5
	}
	s := start(t, "serve", "-addr", "127.0.0.1:0")
	words := strings.Fields(s.line("ws://", 20*time.Second))
	begun := time.Now()
	url := words[len(words)-1]
	bot := func(url, loss string) *process {
		return start(t, "bot", "-url", url, "-seconds", fmt.Sprint(seconds), "-rtt", "150ms", "-loss", loss)
	}
	control := bot(url, "70%")
	bots := make([]*process, 8)
	urls := [2]string{url, "http" + strings.TrimPrefix(url, "ws")}
	for i := range bots {
		bots[i] = bot(urls[i%2], "10%")
	}
	limit := time.Duration(seconds+20) * time.Second
	players := map[string]bool{}
	for i, b := range bots {
		line := b.line("player=", limit)
		t.Log(line)
		if got, want := field(t, line, "transport"), [2]string{"WebSocket", "WebTransport"}[i%2]; got != want {
			t.Errorf("the bot at %s used %s", urls[i%2], got)
		}
		players[field(t, line, "player")] = true
		checkBot(t, line, float64(seconds))
		if bad := holes(t, line); bad > holesMost {
			t.Errorf("%.1f %% of inputs were not executed", 100*bad)
		}
		if code := b.code(); code != 0 {
			t.Errorf("exit code %d: %s", code, b.errs.String())
		}
	}
	if len(players) != len(bots) {
		t.Errorf("the bots were the players %v", players)
	}
	line := control.line("player=", limit)
	t.Log("control: ", line)
	if bad := holes(t, line); bad <= holesMost {
		t.Errorf("at 70 %% loss only %.1f %% of inputs were not executed: the check shows nothing", 100*bad)
	}

	time.Sleep(200 * time.Millisecond) // a tick to note that the last one left
	ran := time.Since(begun).Seconds()
	s.stop()
	line = s.line("server ticks", 5*time.Second)
	t.Log(line)
	if hz := (number(t, line, "ticks") + number(t, line, "skipped")) / ran; hz < 59 || hz > 61 {
		t.Errorf("%.1f ticks a second", hz)
	}
	if skipped := number(t, line, "skipped"); skipped > 3*float64(seconds) {
		t.Errorf("%v ticks skipped", skipped)
	}
	for key, want := range map[string]float64{"joins": 9, "leaves": 9, "players": 0, "refused": 0, "malformed": 0} {
		if got := number(t, line, key); got != want {
			t.Errorf("%s: %v, want %v", key, got, want)
		}
	}
	if code := s.code(); code != 0 {
		t.Errorf("the server exits with %d: %s", code, s.errs.String())
	}
}

// holes is the share of a bot's ticks without its own input on the server.
func holes(t *testing.T, line string) float64 {
	return number(t, line, "holes") / number(t, line, "ticks")
}

func checkBot(t *testing.T, line string, seconds float64) {
	t.Helper()
	if state := field(t, line, "state"); state != "playing" {
		t.Errorf("the bot is %s in the end", state)
	}
	played := number(t, line, "seconds")
	if played < seconds-2.5 {
		t.Errorf("in after %.1f s", seconds-played)
	}
	if hz := number(t, line, "ticks") / played; hz < 57 || hz > 63 {
		t.Errorf("%.1f ticks a second", hz)
	}
	if rtt := duration(t, line, "rtt"); rtt < 150*time.Millisecond || rtt > 230*time.Millisecond {
		t.Errorf("RTT %v", rtt)
	}
	if loss := number(t, line, "loss"); loss < 0.03 || loss > 0.25 {
		t.Errorf("loss %v", loss)
	}
	compared, wrong := number(t, line, "compared"), number(t, line, "mispredicted")
	if compared < 30*played || wrong == 0 || wrong > wrongMost*compared {
		t.Errorf("%v of %v states mispredicted in %.1f s", wrong, compared, played)
	}
	moved := number(t, line, "own_mean") * number(t, line, "own_corrected") / number(t, line, "ticks")
	if moved > movedMost {
		t.Errorf("corrections of %.3f m a tick", moved)
	}
	if n := number(t, line, "breaks"); n != 0 {
		t.Errorf("%v breaks", n)
	}
}
