package client

import (
	"github.com/foretick/foretick/internal/limit"
	"github.com/foretick/foretick/replica"
	"github.com/foretick/foretick/transport"
)

// use takes a connection into service.
func (c *Client) use(conn transport.Conn) {
	c.plain, c.conn = conn, conn
	c.wrap()
}

func (c *Client) wrap() {
	if c.up != nil || c.down != nil {
		c.conn = transport.Impair(c.plain, config(c.up), config(c.down), random())
	}
}

// run stamps packets when they come, however rarely Frame is called, and opens
// the connection again when it breaks.
func (c *Client) run() {
	for {
		c.mu.Lock()
		conn, ended := c.conn, c.ended
		c.mu.Unlock()
		if ended {
			return
		}
		select {
		case <-conn.Ready(): // nil in the browser: there Frame takes them
			c.mu.Lock()
			if conn == c.conn {
				c.receive()
			}
			c.mu.Unlock()
		case <-conn.Done():
			if !c.reconnect(conn) {
				return
			}
		case <-c.life.Done():
			return
		}
	}
}

// reconnect replaces a connection that ended, and reports false if there is to
// be no other.
func (c *Client) reconnect(old transport.Conn) bool {
	c.mu.Lock()
	if old != c.conn || c.ended {
		c.mu.Unlock()
		return true // replaced by Link
	}
	c.receive() // a refusal may be the last packet; Frame reads it
	reason := ended(old)
	if s := c.r.State(); s == replica.Refused || s == replica.Closed || turnedAway(old) {
		c.end(reason)
		c.mu.Unlock()
		return false
	}
	c.reason = reason
	c.mu.Unlock()
	for wait := firstRetry; ; wait = min(2*wait, lastRetry) {
		conn, err := c.redial(c.life)
		c.mu.Lock()
		if c.ended {
			c.mu.Unlock()
			if err == nil {
				conn.Close("left")
			}
			return false
		}
		if err == nil {
			c.reason = ""
			c.breaks++
			c.use(conn)
			c.again = true
			c.mu.Unlock()
			return true
		}
		c.reason = err.Error()
		c.mu.Unlock()
		late, stop := limit.After(wait)
		select {
		case <-late:
		case <-c.life.Done():
			stop()
			return false
		}
	}
}

func ended(conn transport.Conn) string {
	if end, ok := conn.Err().(*transport.Closed); ok {
		return end.Reason
	}
	return "connection lost"
}

// turnedAway reports whether a server closed a connection without a word: it is
// full, or stops. To insist would not help.
func turnedAway(conn transport.Conn) bool {
	end, ok := conn.Err().(*transport.Closed)
	return ok && end.Cause == transport.ByPeer && conn.Stats().Received == 0
}
