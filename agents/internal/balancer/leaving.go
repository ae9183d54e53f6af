package balancer

import (
	"context"
	"fmt"
	"slices"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// leaving is a service that no config names any more. Routers are told at once
// that it isn't here, and need a moment to send its packets elsewhere: until then
// it is carried as it was.
type leaving struct {
	service datapath.Service
	until   time.Time
}

// parting is a replica that a config named before: for as long it may carry on what
// leaves it, and begin connections.
type parting struct {
	peer  Peer
	until time.Time
}

// hear listens to the peers of a config, and to those that part.
func (d *Driver) hear(desired Desired, now time.Time) {
	h := d.running.handover
	if h == nil {
		return
	}
	var list []parting
	for _, one := range d.parting {
		if one.until.After(now) && !slices.Contains(desired.Peers, one.peer) {
			list = append(list, one)
		}
	}
	lingers := d.options.Linger > 0 && d.running.begun.Load() // one that begins has nothing to hear of those before
	for _, peer := range d.desired.Peers {
		if lingers && !slices.Contains(desired.Peers, peer) {
			list = append(list, parting{peer, now.Add(d.options.Linger)})
		}
	}
	d.parting = list
	peers := slices.Clone(desired.Peers)
	for _, one := range list {
		peers = append(peers, one.peer)
	}
	h.exchange.SetPeers(addressesOf(peers))
	if len(list) > 0 {
		d.lookAgainIn(d.options.Linger)
	}
}

// leave is what will linger when this is carried: what lingers already, and what
// was carried so far.
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
		if d.desired.names(service.Key) { // of the others it is known since when
			add(leaving{service, now.Add(d.options.Linger)})
		}
	}
	return list
}

// lingers has the loop look again when the last of these may go.
func (d *Driver) lingers(list []leaving) {
	d.leaving = list
	if len(list) == 0 {
		return
	}
	last := slices.MaxFunc(list, func(a, b leaving) int { return a.until.Compare(b.until) })
	d.lookAgainIn(time.Until(last.until))
}

func (d *Driver) lookAgainIn(span time.Duration) {
	time.AfterFunc(span, func() { d.unheard.Store(true); d.stir() })
}

// setEngine has the engine that runs carry these, and those that leave.
func (d *Driver) setEngine(ctx context.Context, services []datapath.Service, list []leaving) (int, error) {
	all := slices.Clone(services)
	for _, one := range list {
		all = append(all, one.service)
	}
	slices.SortFunc(all, func(a, b datapath.Service) int { return compareKeys(a.Key, b.Key) })
	changes, err := d.running.engine.Set(ctx, all)
	if err != nil && len(list) > 0 {
		// What leaves must not keep what comes away.
		return d.setEngine(ctx, services, nil)
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w", d.running.choice.Candidate.Name, err)
	}
	d.running.services = all
	return changes, nil
}

// wanted are the services that are carried and asked for.
func (d *Driver) wanted() []datapath.Service {
	if d.running == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(d.running.services), func(s datapath.Service) bool { return !d.desired.names(s.Key) })
}
