package mesh

// Counters are of this process.
type Counters struct {
	Received Counts
	Sent     uint64 // datagrams
	Failed   uint64 // writes, such as without a route
	Unusable uint64 // figures of a service that weren't sent, because one is negative or no number
}

// Counters returns those of all peers together.
func (m *Mesh) Counters() Counters {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := m.former
	for _, one := range m.links {
		all.add(one)
	}
	return all
}

// add adds those of a peer.
func (c *Counters) add(one *link) {
	c.Sent += one.sent
	for reason, count := range one.counts {
		c.Received[reason] += count
	}
}
