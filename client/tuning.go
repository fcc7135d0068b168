package client

import "time"

const (
	// firstRetry and lastRetry: the pause between attempts to connect again
	// doubles from one to the other. A server that restarts is back within the
	// time a player waits, and a crowd does not storm it.
	firstRetry = 250 * time.Millisecond
	lastRetry  = 4 * time.Second
)
