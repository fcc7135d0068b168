// Package predict is the client's foresight: what it predicted, tick by tick,
// and how it takes that back.
//
// # Why a replay is exact
//
// Everything that tick n used besides state n is in Record n: the player's own
// input and how it was obtained, the poses of others as they were read, and
// the server's values that were adopted at state n. A tick is a pure function
// of state n and Record n (the two laws). So, by induction, replaying from any
// state t of the history through Records t..now-1 gives the history's own bits,
// unless a Record was changed; and Records change in three ways only:
//
//   - Adopt: the server's word for (entity, tick n) overwrites the prediction
//     in state n, in this and in every later replay.
//   - Repair: the server says it executed something else than was sent.
//   - an entity turns from interpolated to simulated: its poses go.
//
// After each of them everything from the first changed tick is replayed, so
// the history is again what the Records give. Forced rollback (Force) tests
// exactly that: it replays and must change nothing.
//
// A game whose client systems read only their own entity is Scoped: entities
// do not meet, the induction holds for each alone, and only those that differ
// are replayed.
package predict
