package balancer

import (
	"slices"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/health"
)

// EngineAuto lets the host decide.
const EngineAuto = "auto"

// Desired is what this role is asked for. The zero value is the role switched off.
type Desired struct {
	On       bool
	Revision uint64
	Engine   string    // [EngineAuto] or the name of a candidate
	Services []Service // sorted by key
	Peers    []Peer    // sorted by agent ID
}

// Service is a service with what only this role needs to know of it.
type Service struct {
	LoadBalancer string // its ID, on figures and events
	Exposure     string
	Check        *health.Check    // nil: backends count as up
	Wanted       datapath.Service // its delivery may be "", the best that the engine has; all backends are up
}

// Peer is another replica that may meet our clients.
type Peer struct {
	AgentID string
	Address string // host:port
}

// Equal compares by value. What the revision is makes no difference to a host.
func (d Desired) Equal(other Desired) bool {
	return d.On == other.On && d.Engine == other.Engine && slices.Equal(d.Peers, other.Peers) &&
		slices.EqualFunc(d.Services, other.Services, equalServices)
}

// names says whether a service is asked for.
func (d Desired) names(key datapath.Key) bool {
	_, found := slices.BinarySearchFunc(d.Services, key, func(s Service, key datapath.Key) int { return compareKeys(s.Wanted.Key, key) })
	return found
}

func equalServices(a, b Service) bool {
	return a.LoadBalancer == b.LoadBalancer && a.Exposure == b.Exposure && equalChecks(a.Check, b.Check) &&
		a.Wanted.Equal(&b.Wanted)
}

func equalChecks(a, b *health.Check) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// target is what is asked about a backend's health, if anything is.
func (s *Service) target(backend datapath.Backend) (health.Target, bool) {
	if s.Check == nil || backend.State == datapath.Inactive {
		return health.Target{}, false
	}
	return health.Target{Address: backend.Address, Port: backend.Port, Check: *s.Check}, true
}

// targets are all that have to be asked, each once.
func (d Desired) targets() []health.Target {
	var targets []health.Target
	for i := range d.Services {
		for _, backend := range d.Services[i].Wanted.Backends {
			if target, asked := d.Services[i].target(backend); asked {
				targets = append(targets, target)
			}
		}
	}
	return targets
}
