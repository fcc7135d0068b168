package ecs

// Quarantine is how many ticks a freed index rests before Create gives it out
// again: about four seconds at 60 Hz. That is longer than a tombstone needs to
// reach a client and be acknowledged on a bad link, and longer than any
// client's history: neither an old packet nor a pose in an old record can speak
// of the new user of an index. Longer only costs indices under heavy churn: the
// world can free 65,535 of them in that time, minus what lives.
const Quarantine = 256

// MaxComponents is the most columns a world has: a mask of them is a uint64.
const MaxComponents = 64

// firstRows is the room a column starts with when it first grows. Below it,
// growing would be many small allocations; above, idle memory in each world of
// a history.
const firstRows = 16
