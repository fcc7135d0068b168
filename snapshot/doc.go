// Package snapshot sends the state of a match to one client, each entity
// against what that client has acknowledged of it, and each packet for itself.
// SECTION.md has every bit.
//
// The server keeps a [History] of [Frame]s and for each client a [Sender]; the
// client keeps a [Receiver]. A version is the record (owner, mask, words) of one
// entity at one tick. Four things can be said of an entity at tick n: changed
// (its version n, against an older one named by its tick, or in full),
// unchanged, gone, or nothing.
//
// # Why a client never gets a wrong record
//
// Version (e, n) is a fact, the same for every client and in every packet; a
// version is named by its full tick (the distance to the packet's tick is sent
// whole, however long the entity rested). So whatever order packets come in,
// and whichever are doubled, a held version of tick n is the record at tick n,
// and a change against it, or against nothing, gives the record at the
// packet's tick. If the version named is not held, the packet fails as a whole
// and is not acknowledged. That leaves two things to show.
//
// Unchanged names no version; the client takes the newest it holds of ticks up
// to n. Let b be the sender's baseline. The sender says unchanged only if the
// record is constant over b..n, so any version in b..n will do. The client
// acknowledged b, so it held b or refused it as too old, and versions leave
// oldest first, with floor the newest that left or was refused, and nothing up
// to floor ever taken in again. If b is held, the newest up to n is not older.
// If not, then b is not after floor and every held version is after b. Either
// way what is found lies in b..n; if nothing is found the packet fails.
//
// A packet that is the newest word on its entity never fails for want of its
// baseline b. Versions leave only when their ring is full: older than a
// baseline that was named by lateMargin, and then not b, because named
// baselines never go back at the sender; or because maxVersions newer ones are
// held. Each of those was sent after b and the sender counts them: from
// maxVersions on it sends in full. So ErrBaseline is a fault (invariant 8), and
// ErrLate a packet that was overtaken.
//
// Generations: at a tick an index has one user. All that was said of a slot's
// entity lies in since..last, so what is said of another generation is older
// news if its tick is before since, the end of the slot's entity if it is after
// last, and a lie between. A tombstone is said until acknowledged or until its
// index is used again, when the first full record of the new user says as much.
// The client remembers the last tombstone of an index, so a late packet brings
// nobody back.
package snapshot
