package predict

// keepBehind in ticks: a snapshot's feedback is about the ticks just before it.
const keepBehind = 8

// minHistory is the fewest ticks of history. Fewer would not cover the lead of
// a client on a bad link at any tick rate.
const minHistory = 32

// firstEffects is the room for the effects of a tick at first: few ticks have
// more, so it seldom grows.
const firstEffects = 32
