package pace

import "time"

// Times are in ticks unless a Duration or named otherwise.
const (
	// maxStretch is how much faster or slower a clock may run. Above 10 %
	// players notice; below, a lead that is wrong by 10 ticks takes too long.
	maxStretch = 0.10

	// jumpTicks is how far off a clock must be to jump forward instead (T4).
	jumpTicks = 10

	// jumpBack is the same backward, in seconds. Jumping back freezes the
	// player, while too long a lead costs only delay, so a stretch may take 2.5 s.
	jumpBack = 0.25

	// jumpSpan is how long the measurements must agree before a jump. A burst
	// of delay shorter than this is over before a jump could help.
	jumpSpan = 250 * time.Millisecond

	// settle is the time constant in seconds with which an error is stretched
	// away. Shorter chases the noise of the mean; with corrections in flight
	// counted it may be shorter than the round trip.
	settle = 0.5

	// deadBand is the error left alone, about the noise of the mean.
	deadBand = 0.1

	// The window of measurements: at most windowLen, none older than windowAge,
	// which is for slow snapshots. Longer is smoother, and slower to notice a
	// path that changes little by little.
	windowLen = 64
	windowAge = 8 * time.Second

	// A level shift: shiftRun measurements in a row (shiftSlow where they are
	// over shiftGap apart) that lie more than shiftDevs deviations and shiftTicks
	// to one side of the others throw those away (T4's "variance too high").
	shiftRun   = 4
	shiftSlow  = 2
	shiftGap   = 0.2 // seconds
	shiftDevs  = 3
	shiftTicks = 1.0

	// minSamples is how many measurements a target needs.
	minSamples = 4

	// Margin over the deadline: leadBase and playBase on a perfect path, and
	// devs deviations of the jitter. Every packet repeats the inputs before it,
	// so two deviations leave a hole only when several packets fail together.
	leadBase = 1.15
	playBase = 0.25
	devs     = 2

	// Each hole or starvation adds raise, at most one in raiseEvery, at most
	// maxBoost in all; decay plus a decayShare of it is forgotten each second.
	// All are in intervals between packets. So about one hole in 25 s, 1 in
	// 1,500 inputs at 60 Hz, is tolerated rather than paid for with delay.
	raise      = 0.5
	raiseEvery = 200 * time.Millisecond
	maxBoost   = 6
	decay      = 0.01
	decayShare = 1.0 / 60

	// holeShift is the correction, made since an input was sampled, that answers
	// its hole: more than noise makes, less than a raise.
	holeShift = 0.4

	// frameGain smooths the length of a frame, over about 16 of them; frames
	// over maxFrame seconds are sleep.
	frameGain = 1.0 / 16
	maxFrame  = 0.25

	// The target follows what is wanted at most this fast, per second: up soon,
	// because a hole is worse than delay; down slower than the clock stretches.
	targetUp, targetDown = 4.0, 1.0

	// Defaults: start of both buffers (T4) and the clamps of the lead. maxLead is
	// in seconds; the view has maxDelay seconds and maxBoost intervals.
	leadStart = 3
	leadMin   = 1
	maxLead   = 0.5
	maxDelay  = 0.5
	playStart = 100 * time.Millisecond

	// maxSpread, in seconds, bounds what probes may add to the start: one that
	// was lucky or unlucky must not freeze the first second.
	maxSpread = 0.15

	// shiftRing is how many ticks the corrections in flight are remembered:
	// 8 s at 128 Hz, longer than any round trip that can be played on.
	shiftRing = 1024

	// maxMargin bounds one measurement, in seconds: what is further off is a
	// broken peer, and one jump must stay within reach of the next.
	maxMargin = 30
)
