package companion

import (
	"net/netip"
	"time"

	"fairlead.dev/agents/internal/session/message"
)

// sentMost is how many messages with ids a replica gets in a second: 350,000 ids, in 14 MB.
const sentMost = 10000

// sentIDs counts messages to each replica in the current second.
type sentIDs struct {
	second int64
	to     map[netip.AddrPort]int
}

// allows counts a message.
func (s *sentIDs) allows(to netip.AddrPort, now time.Time) bool {
	if second := now.Unix(); second != s.second || s.to == nil {
		s.second, s.to = second, map[netip.AddrPort]int{}
	}
	s.to[to]++
	return s.to[to] <= sentMost
}

func (c *Companion) answerIDs(service *Service, m message.Message, to netip.AddrPort) {
	now, to := time.Now(), netip.AddrPortFrom(to.Addr().Unmap(), to.Port())
	for _, one := range c.began.answer(service, m, to, now) {
		if !c.sentIDs.allows(to, now) {
			return // the replica requests the others again
		}
		c.send(service, one, to)
	}
}

// answerID answers whether the server began a session, after all replies that left before: the program writes an id before
// its reply leaves, but this process may not have read it yet. What isn't answered, the replica requests again.
func (c *Companion) answerID(service *Service, m message.Message, to netip.AddrPort) {
	if len(m.IDs) != 1 {
		return
	}
	c.events.After(func() { c.send(service, c.began.find(service, m.IDs[0], time.Now()), to) })
}

// learn sends a new id to all replicas.
func (c *Companion) learn(service *Service, id [message.IDBytes]byte) {
	if m, isNew := c.began.add(service, id, time.Now()); isNew {
		c.send(service, m, service.Replicas...)
	}
}
