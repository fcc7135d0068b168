package impair

// Bursts returns the Config's BurstLoss and BurstLen that lose a share of all
// packets in runs of a mean length, with Loss at 0. Random losses alone come in
// runs of 1/(1-share); a shorter run than that is not to be had.
func Bursts(share, run float64) (burstLoss, burstLen float64) {
	if !(share > 0) {
		return 0, 1
	}
	if share >= 1 {
		return 1, 1
	}
	if least := 1 / (1 - share); !(run > least) {
		run = least
	}
	// A good packet is followed by a lost one with s, a lost one by a good one
	// with 1/run. So share = s/(s + 1/run), and what ends a run is the end of a
	// burst that no other follows: 1/run = (1 - s)/burstLen.
	s := share / (run * (1 - share))
	return s, run * (1 - s)
}
