package adaptive

import (
	"fmt"
	"maps"
	"time"

	"fairlead.dev/agents/internal/adaptive/policy"
	"fairlead.dev/agents/internal/events"
	"fairlead.dev/agents/internal/health"
)

// Event reasons.
const (
	BackendDown = "BackendDown"
	BackendUp   = "BackendUp"
)

// see updates what is known of other nodes and of backends, and reports whether other backends get connections now.
func (d *Driver) see(now time.Time) (changed bool) {
	d.expire(now)
	d.watch(now)
	for _, s := range d.services {
		for i := range s.Backends {
			b := &s.Backends[i]
			if isUp := b.takes() && d.isUp(s, i); isUp != s.isUp[i] {
				s.isUp[i], changed = isUp, true
				d.record(s, b, isUp)
			}
		}
	}
	return changed
}

// expire forgets figures of other nodes that are too old.
func (d *Driver) expire(now time.Time) {
	for _, peer := range d.desired.Peers {
		d.trips[peer.Node] = d.mesh.RoundTrip(peer.Node)
	}
	for _, s := range d.services {
		for _, one := range s.nodes {
			one.isFresh = !one.receivedAt.IsZero() && now.Sub(one.receivedAt) <= policy.OldestFigures
		}
	}
}

// receive takes the newest figures of a peer.
func (d *Driver) receive(peer int, now time.Time) {
	node := d.desired.Peers[peer].Node
	d.trips[node] = d.mesh.RoundTrip(node)
	d.latest = d.mesh.Latest(d.latest[:0], node)
	latest := d.latest // in the order of the services, without those that have none
	for _, s := range d.services {
		if len(latest) == 0 {
			return
		}
		if latest[0].Service != s.id {
			continue
		}
		if one := s.peers[peer]; one != nil {
			one.isNew = one.isNew || latest[0].Figures != one.received.Figures
			one.received, one.receivedAt, one.isFresh = latest[0], now.Add(-latest[0].Age), true
		}
		latest = latest[1:]
	}
}

// watch checks the backends of this node, and of nodes that don't send figures.
func (d *Driver) watch(now time.Time) {
	if !d.checkOthers(now) {
		return
	}
	targets := map[health.Target]bool{}
	for _, s := range d.services {
		for i := range s.Backends {
			b := &s.Backends[i]
			if target, has := s.target(b); has && s.places[i].isChecked {
				targets[target] = true
			}
		}
	}
	if maps.Equal(targets, d.targets) {
		return
	}
	d.targets = targets
	all := make([]health.Target, 0, len(targets))
	for target := range targets {
		all = append(all, target)
	}
	d.monitor.Set(all)
}

// checkOthers determines whose backends are checked here, and reports whether that changed.
func (d *Driver) checkOthers(now time.Time) (changed bool) {
	changed, d.isTaken = d.isTaken, false
	for _, s := range d.services {
		for _, one := range s.nodes {
			if is := one.isHere || one.isSilent(now); is != one.isChecked {
				one.isChecked, changed = is, true
			}
		}
	}
	return changed
}

// isUp reports whether a backend can serve, as far as this node knows. Unknown is up: after a restart of the agent,
// traffic continues until the first check.
func (d *Driver) isUp(s *service, backend int) bool {
	other := s.places[backend]
	if other.isChecked {
		if target, has := s.target(&s.Backends[backend]); has {
			return d.monitor.State(target).Health != health.Down
		}
	}
	return other.isHere || !other.isFresh || other.received.Cores > 0
}

// coresOf is what this node sends as the cores of a service: 0 if none of its backends here can serve. Cores that the
// config sets are offered under pressure too.
func (d *Driver) coresOf(s *service) float64 {
	for i := range s.Backends {
		if s.Backends[i].Node == d.desired.Node && s.isUp[i] {
			if d.desired.Cores > 0 {
				return d.cores
			}
			return d.cores * d.guard.factor()
		}
	}
	return 0
}

// record reports a change of a backend that this node checks.
func (d *Driver) record(s *service, b *Backend, isUp bool) {
	target, has := s.target(b)
	if !has || !d.targets[target] || !b.takes() {
		return
	}
	if isUp {
		d.news.Record(events.Event{Reason: BackendUp, LoadBalancer: s.LoadBalancer, Message: fmt.Sprintf(
			"Backend %s at %s is up.", b.ID, b.Address)})
		return
	}
	d.news.Record(events.Event{Reason: BackendDown, Warning: true, LoadBalancer: s.LoadBalancer, Message: fmt.Sprintf(
		"Backend %s at %s is down: it %s. It gets no new connections.", b.ID, b.Address, d.monitor.State(target).Message)})
}

// overloads reports services without room at any node. Of the nodes with backends, the first one whose load is known
// reports it, so that one overload isn't an event of each node.
func (d *Driver) overloads(now time.Time) {
	for _, s := range d.services {
		reporter, full, known := "", true, 0
		for _, one := range s.nodes {
			if one.node != d.desired.Node && !one.isFresh || !one.isKnown {
				full = full && one.isSilent(now) // by weight, it gets only its share
				continue
			}
			if known++; reporter == "" {
				reporter = one.node
			}
			full = full && isFull(one.figures)
		}
		if !s.overload.see(full && known > 0, now) || reporter != d.desired.Node {
			continue
		}
		if s.overload.is {
			d.news.Record(events.Event{Reason: ServiceOverloaded, Warning: true, LoadBalancer: s.LoadBalancer, Message: fmt.Sprintf(
				"All %d nodes of service %s are above %.0f %% of their cores, so requests wait wherever they go. Add backends, or raise their CPU limit.", known, s.Key, 100*fullLoad)})
		} else {
			d.news.Record(events.Event{Reason: ServiceRelieved, LoadBalancer: s.LoadBalancer, Message: fmt.Sprintf("A node of service %s has room again.", s.Key)})
		}
	}
}
