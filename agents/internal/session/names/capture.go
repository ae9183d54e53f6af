package names

import (
	"bytes"
	"crypto/tls"
)

// capture is a session cache that keeps the tickets and resumes nothing, so that each connection
// gets a new ticket. It belongs to the goroutine of its connection. This is where Go's TLS exposes
// tickets, of either version.
type capture struct {
	tickets [][]byte
	first   func() // called with the first ticket, unless nil
}

// Get implements tls.ClientSessionCache.
func (c *capture) Get(string) (*tls.ClientSessionState, bool) { return nil, false }

// Put implements tls.ClientSessionCache.
func (c *capture) Put(_ string, session *tls.ClientSessionState) {
	ticket, _, err := session.ResumptionState()
	if err != nil || len(ticket) == 0 || len(c.tickets) == ticketsMost {
		return
	}
	c.tickets = append(c.tickets, bytes.Clone(ticket))
	if len(c.tickets) == 1 && c.first != nil {
		c.first()
	}
}
