package predict

// minHistory is the fewest ticks of history. Fewer would not cover the lead of
// a client on a bad link at any tick rate.
const minHistory = 32
