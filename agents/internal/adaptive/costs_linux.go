package adaptive

import (
	"iter"
	"slices"
	"time"

	"fairlead.dev/agents/internal/adaptive/policy"
	"fairlead.dev/agents/internal/adaptive/sockets"
)

// entering is what this node knows of the requests of a service that enter here. It changes slowly, so it is updated
// once a round.
type entering struct {
	usual       float64 // seconds that a request takes, of nodes that have served some
	connections policy.Connections
	setup       float64 // round trips of a handshake, for each request
	entered     float64 // requests per second, in openedWindow
	enteredAt   time.Time
}

// arrival is called by the goroutine that receives figures, so that no other one has to wake up for them. While the
// driver is busy, they wait for the next ones or for the next round: the caller must not wait, because Set may be
// waiting for it to end.
func (d *Driver) arrival() {
	if !d.mutex.TryLock() {
		return
	}
	defer d.mutex.Unlock()
	if d.sockets != nil {
		d.arrive(time.Now())
	}
}

// arrive makes the kernel use figures that have arrived.
func (d *Driver) arrive(now time.Time) {
	if d.arrived = d.mesh.Arrived(d.arrived[:0]); len(d.arrived) == 0 {
		return
	}
	d.keep(d.sockets.SetCosts(func(yield func(sockets.Cost) bool) {
		for i := range d.desired.Peers {
			if !slices.Contains(d.arrived, d.desired.Peers[i].Node) {
				continue
			}
			d.receive(i, now)
			for _, s := range d.services {
				if one := s.peers[i]; one != nil && (one.isNew || one.isFresh && one.isDue(now)) && !d.cost(s, one, now, yield) {
					return
				}
			}
		}
	}))
}

// costs returns those that the kernel needs in this round: of this node, and of others without any.
func (d *Driver) costs(now time.Time) iter.Seq[sockets.Cost] {
	return func(yield func(sockets.Cost) bool) {
		for _, s := range d.services {
			d.enter(s, now)
			for _, one := range s.nodes {
				if (one.isHere || one.isFresh && one.isDue(now)) && !d.cost(s, one, now, yield) {
					return
				}
			}
		}
	}
}

// enter updates what is known of the requests that enter here.
func (d *Driver) enter(s *service, now time.Time) {
	entered, usual := 0.0, policy.Usual{}
	for _, one := range s.nodes {
		switch {
		case one.isHere:
			entered += s.meter.figures(s.meter.own).RateOfReceiver
		case one.isFresh:
			entered += one.received.RateOfReceiver // as those that serve them count
			usual.Add(one.received.ServiceTime)
		}
	}
	if s.meter != nil {
		s.meter.enter(entered, usual.Seconds())
		usual.Add(s.meter.figures(0).ServiceTime)
	}
	if !s.enteredAt.IsZero() {
		s.entered = average(s.entered, entered, now.Sub(s.enteredAt), openedWindow)
	}
	s.enteredAt = now
	s.usual, s.connections, s.setup = usual.Seconds(), lasting(s.nodes, entered, s.entered), setup(s.Key.Protocol, s.nodes, s.entered)
}

// cost yields that of one node, if the kernel needs it, and reports whether to go on.
func (d *Driver) cost(s *service, one *outgoing, now time.Time, yield func(sockets.Cost) bool) bool {
	one.isNew = false
	figures, at := one.received.Figures, one.receivedAt
	entry := policy.Entry{Local: one.isHere, Nodes: len(d.desired.Peers) + 1, Connections: s.connections}
	if one.isHere {
		figures, at = s.meter.figures(s.meter.own), now
	} else {
		entry.RoundTrip, entry.Setup, entry.Answers = d.trips[one.node], s.setup, one.closed
	}
	if entry.Life > 0 {
		entry.Open = int(one.counts.Open)
	}
	if figures.ServiceTime == 0 {
		entry.Usual = s.usual
	}
	if !one.renew(figures, entry, now) {
		return true
	}
	d.priced.Calculate(figures, entry)
	return yield(sockets.Cost{Service: s.number, Node: one.node, At: at, Cost: &d.priced})
}
