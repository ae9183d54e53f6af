package simulate

// connection carries requests to one backend.
type connection struct {
	opened  bool
	backend int
	left    int // requests until another connection takes its place
}

// connected returns the backend of the request's connection. It opens one where the last has carried all its
// requests, or where its backend was killed.
func (s *simulation) connected(r *request) int {
	slots := s.slots[r.entry]
	slot := r.client % len(slots)
	if s.Clients == nil {
		slot = s.random.IntN(len(slots))
	}
	c := &slots[slot]
	if c.opened && (c.left == 0 || !s.backends[c.backend].alive) {
		s.links[r.entry][s.backends[c.backend].node].connections--
		c.opened = false
	}
	if !c.opened {
		backend := s.subject.choose(s, r.entry, r)
		r.connects = true
		*c = connection{opened: true, backend: backend, left: 1 + s.random.IntN(2*s.PerConnection-1)}
		s.links[r.entry][s.backends[backend].node].connections++
	}
	c.left--
	return c.backend
}

// openConnections are those of an entry.
func (s *simulation) openConnections(entry int) (open int) {
	for _, l := range s.links[entry] {
		open += l.connections
	}
	return open
}
