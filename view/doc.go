// Package view is the picture a client shows: Buffer has what it was told of
// every entity and gives the pose at a time in between; Display joins that with
// what is predicted and hides corrections; Ledger shows each effect once.
//
// Nothing here changes what is simulated. Nothing is safe for concurrent use,
// and nothing allocates once it has been as full before.
package view
