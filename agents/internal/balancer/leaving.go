package balancer

import (
	"context"
	"fmt"
	"slices"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/flows"
)

// leaving is a service that was removed from the config. Its route is withdrawn at once,
// but routers need a moment to send its packets elsewhere: until then it is carried as
// before.
type leaving struct {
	service datapath.Service
	until   time.Time
}

// departing is a replica that was removed from the config. It may still carry leaving
// services for a while, and place connections.
type departing struct {
	peer  Peer
	until time.Time
}

// setPeers subscribes to the peers of a config, and to departing ones.
func (d *Driver) setPeers(desired Desired, now time.Time) {
	h := d.running.handover
	if h == nil {
		return
	}
	var list []departing
	for _, one := range d.departing {
		if one.until.After(now) && !slices.Contains(desired.Peers, one.peer) {
			list = append(list, one)
		}
	}
	lingers := d.options.Linger > 0 && d.running.begun.Load() // a new replica needs no flows of earlier peers
	for _, peer := range d.desired.Peers {
		if lingers && !slices.Contains(desired.Peers, peer) {
			list = append(list, departing{peer, now.Add(d.options.Linger)})
		}
	}
	d.departing = list
	peers := slices.Clone(desired.Peers)
	for _, one := range list {
		peers = append(peers, one.peer)
	}
	h.exchange.SetScopes(d.scopesOf(desired, now))
	h.exchange.SetPeers(addressesOf(peers))
	if len(list)+len(d.parting) > 0 {
		d.lookAgainIn(d.options.Linger)
	}
}

// leave returns the services that will linger once this config is carried: those that
// linger already, and those carried so far.
func (d *Driver) leave(desired Desired, now time.Time) []leaving {
	var list []leaving
	add := func(one leaving) {
		if one.until.After(now) && !desired.names(one.service.Key) {
			list = append(list, one)
		}
	}
	for _, one := range d.leaving {
		add(one)
	}
	if d.options.Linger == 0 || d.running == nil {
		return list
	}
	for _, service := range d.running.services {
		if d.desired.names(service.Key) { // the others are in d.leaving already
			add(leaving{service, now.Add(d.options.Linger)})
		}
	}
	return list
}

// lingers wakes the loop when the last of these expires.
func (d *Driver) lingers(list []leaving) {
	d.leaving = list
	if len(list) == 0 {
		return
	}
	last := slices.MaxFunc(list, func(a, b leaving) int { return a.until.Compare(b.until) })
	d.lookAgainIn(time.Until(last.until))
}

func (d *Driver) lookAgainIn(span time.Duration) {
	time.AfterFunc(span, func() { d.healthStale.Store(true); d.stir() })
}

// setEngine applies these services, and those that leave, to the running engine.
// failures are those of services that the engine doesn't get.
func (d *Driver) setEngine(ctx context.Context, services []datapath.Service, failures []datapath.Failure, list []leaving) (int, error) {
	all := slices.Clone(services)
	for _, one := range list {
		all = append(all, one.service)
	}
	slices.SortFunc(all, func(a, b datapath.Service) int { return compareKeys(a.Key, b.Key) })
	set, outcome, err := d.setBoth(ctx, d.running.engine, d.running.placing, all, d.running.services)
	if err != nil && len(list) > 0 {
		// Leaving services must not prevent new ones.
		return d.setEngine(ctx, services, failures, nil)
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w", d.running.choice.Candidate.Name, err)
	}
	failures = append(failures, outcome.Failures...)
	d.notePrevious(d.running.choice.Candidate.Name, d.running.services, failures)
	d.running.services, d.running.failures = set, failures
	d.noteFallbacks()
	d.reportPlacing(d.setPlacing())
	return outcome.Changes, nil
}

// wanted returns the services that are carried and in the spec.
func (d *Driver) wanted() []datapath.Service {
	if d.running == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(d.running.services), func(s datapath.Service) bool { return !d.desired.names(s.Key) })
}

func addressesOf(peers []Peer) []flows.Peer {
	all := make([]flows.Peer, len(peers))
	for i, peer := range peers {
		all[i] = flows.Peer{AgentID: peer.AgentID, Address: peer.Address}
	}
	return all
}
