package simulate

import "fairlead.dev/agents/internal/adaptive/policy"

// send sends a node's figures to all others, of this moment. So do nodes of subjects that aren't ours.
func (s *simulation) send(from int) {
	n := &s.nodes[from]
	for to := range s.nodes {
		if to == from {
			continue
		}
		sent := report{s.now, n.figures(from, to)}
		s.after(s.Delay[from][to], func() { s.receive(from, to, sent) })
	}
}

func (s *simulation) receive(from, to int, received report) {
	l := &s.links[to][from]
	l.exchanged = received
	if received.at >= l.carried.at {
		l.carried = received
	}
	s.subject.received(s, to, from)
}

// isOld reports whether the entry has no recent figures of another node.
func (s *simulation) isOld(entry, node int) bool {
	return s.now-s.links[entry][node].exchanged.at > policy.OldestFigures.Seconds()
}

// usual is that of nodes other than the entry, as it knows them.
func (s *simulation) usual(entry int) (usual policy.Usual) {
	for j := range s.nodes {
		if j != entry && !s.isOld(entry, j) {
			usual.Add(s.links[entry][j].exchanged.ServiceTime)
		}
	}
	return usual
}

// measure updates all averages.
func (s *simulation) measure() {
	for j := range s.nodes {
		s.nodes[j].meter.read(&s.nodes[j], s.now)
		for entry := range s.nodes {
			l := &s.links[entry][j]
			average(&l.replyRate, float64(l.replies-l.repliesBefore)/window, window, 0.2)
			l.repliesBefore = l.replies
		}
	}
}

func (s *simulation) change(c Change) {
	switch c.What {
	case Speed:
		s.nodes[c.Index].advance(s.now)
		s.nodes[c.Index].speed = c.Value
		s.reschedule(c.Index)
	case Neighbour:
		s.nodes[c.Index].advance(s.now)
		s.nodes[c.Index].neighbour = c.Value
		s.reschedule(c.Index)
	case Rate:
		s.Rates[c.Index] = c.Value
		s.rateVersions[c.Index]++ // how long until the next request doesn't depend on how long none has entered
		s.enterLater(c.Index)
	case Kill:
		s.kill(c.Index)
		s.after(s.Detection, s.offer)
	}
}

func (s *simulation) kill(backend int) {
	s.backends[backend].alive = false
	j := s.backends[backend].node
	n := &s.nodes[j]
	n.advance(s.now)
	for _, i := range n.removeIf(func(i int32) bool { return s.requests[i].backend == backend }) {
		n.inFlight--
		n.inFlightOf[s.requests[i].entry]--
		s.fail(i, j)
	}
	s.reschedule(j)
}
