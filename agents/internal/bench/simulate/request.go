package simulate

import "math"

type request struct {
	entered, arrived, sent float64
	work                   float64
	entry, client          int
	backend                int
	inFlight               int // at its node when it arrived
	failed                 bool
	connects               bool // it is the first of its connection, if that carries many
	// What its reply carries.
	completed                   float64
	report                      report
	utilization, completionRate float64
}

func (s *simulation) work(entry int) float64 {
	random := s.load[entry]
	switch s.Work {
	case Exponential:
		return s.ServiceTime * random.ExpFloat64()
	case Heavy:
		const sigma = 1.5
		return s.ServiceTime * math.Exp(sigma*random.NormFloat64()-sigma*sigma/2)
	default:
		return s.ServiceTime
	}
}

func (s *simulation) enter(entry, client int) {
	var i int32
	if last := len(s.free) - 1; last >= 0 {
		i, s.free = s.free[last], s.free[:last]
	} else {
		i = int32(len(s.requests))
		s.requests = append(s.requests, request{})
	}
	s.nodes[entry].entered++
	r := &s.requests[i]
	*r = request{entered: s.now, sent: s.now, work: s.work(entry), entry: entry, client: client}
	if s.PerConnection > 1 {
		r.backend = s.connected(r)
	} else {
		r.backend = s.subject.choose(s, entry, r)
	}
	j := s.backends[r.backend].node
	s.open[entry][r.backend]++
	s.links[entry][j].open++
	s.links[entry][j].onTheWay++
	s.queue.add(s.now+s.connecting(r)+s.Delay[entry][j], arrives, int(i), 0)
}

// connecting is how long a connection takes before the request is sent on it.
func (s *simulation) connecting(r *request) float64 {
	j := s.backends[r.backend].node
	if !s.Handshake || s.PerConnection > 1 && !r.connects {
		return 0
	}
	return s.Delay[r.entry][j] + s.Delay[j][r.entry]
}

// setup is how many round trips that takes for each request.
func (s *simulation) setup() float64 {
	if !s.Handshake {
		return 0
	}
	return 1 / float64(s.PerConnection)
}

func (s *simulation) arrive(i int32) {
	r := &s.requests[i]
	j := s.backends[r.backend].node
	s.links[r.entry][j].onTheWay--
	if !s.backends[r.backend].alive {
		s.fail(i, j)
		return
	}
	n := &s.nodes[j]
	n.advance(s.now)
	n.inFlight++
	n.inFlightOf[r.entry]++
	n.arrived[r.entry]++
	r.arrived, r.inFlight = s.now, n.inFlight
	n.add(r.work, i)
	s.reschedule(j)
}

func (s *simulation) fail(i int32, node int) {
	r := &s.requests[i]
	r.failed = true
	s.queue.add(s.now+s.Delay[node][r.entry], replies, int(i), 0)
}

func (s *simulation) complete(j int) {
	n := &s.nodes[j]
	n.advance(s.now)
	i := n.removeFirst().request
	r := &s.requests[i]
	n.inFlight--
	n.inFlightOf[r.entry]--
	n.completed++
	r.completed, r.report = s.now, report{s.now, n.figures(j, r.entry)}
	r.utilization, r.completionRate = n.meter.utilization, n.meter.completionRate
	s.subject.completed(s, j, r)
	s.queue.add(s.now+s.Delay[j][r.entry], replies, int(i), 0)
	s.reschedule(j)
}

// reschedule is for a node whose jobs or speed changed.
func (s *simulation) reschedule(j int) {
	n := &s.nodes[j]
	n.version++
	if len(n.jobs) > 0 {
		at, changes := n.nextEnd()
		next := completes
		if changes {
			next = adjusts
		}
		s.queue.add(at, next, j, n.version)
	}
}

func (s *simulation) reply(i int32) {
	r := &s.requests[i]
	j := s.backends[r.backend].node
	s.open[r.entry][r.backend]--
	l := &s.links[r.entry][j]
	l.open--
	l.replies++
	if !r.failed && r.report.at >= l.carried.at {
		l.carried = r.report
	}
	s.record.add(s, r, j == r.entry)
	s.subject.replied(s, r.entry, r)
	entry, client := r.entry, r.client
	s.free = append(s.free, i)
	if s.Clients != nil {
		s.enter(entry, client)
	}
}
