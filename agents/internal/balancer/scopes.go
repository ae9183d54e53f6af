package balancer

import (
	"slices"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/flows"
)

// parting is a peer that no longer carries a service. Routers may still send it packets for a moment,
// so it still gets the service's flows.
type parting struct {
	key     datapath.Key
	agentID string
	until   time.Time
}

// scopesOf returns which peers get the flows of each service, with those that part.
func (d *Driver) scopesOf(desired Desired, now time.Time) flows.Scopes {
	d.parting = d.partingFrom(desired, now)
	scopes := flows.Scopes{}
	for _, service := range desired.Services {
		if service.Peers != nil {
			scopes[service.Wanted.Key] = slices.Clone(service.Peers)
		}
	}
	for _, one := range d.parting {
		scopes[one.key] = append(scopes[one.key], one.agentID)
	}
	return scopes
}

// partingFrom returns the peers that the current spec has of a service and this one doesn't, and
// earlier ones whose time isn't over. It leaves out services that this one shares with all peers, or
// doesn't have.
func (d *Driver) partingFrom(desired Desired, now time.Time) (list []parting) {
	parts := func(key datapath.Key, agentID string) bool {
		service := desired.service(key)
		return service != nil && service.Peers != nil && !slices.Contains(service.Peers, agentID)
	}
	for _, one := range d.parting {
		if one.until.After(now) && parts(one.key, one.agentID) {
			list = append(list, one)
		}
	}
	if d.options.Linger == 0 {
		return list
	}
	for _, service := range d.desired.Services {
		for _, agentID := range d.desired.peersOf(&service) {
			if parts(service.Wanted.Key, agentID) {
				list = append(list, parting{service.Wanted.Key, agentID, now.Add(d.options.Linger)})
			}
		}
	}
	return list
}

// peersOf returns the agent IDs of the peers that carry a service.
func (d Desired) peersOf(service *Service) []string {
	if service.Peers != nil {
		return service.Peers
	}
	all := make([]string, len(d.Peers))
	for i, peer := range d.Peers {
		all[i] = peer.AgentID
	}
	return all
}
