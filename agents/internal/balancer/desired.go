package balancer

import (
	"slices"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/health"
)

// EngineAuto picks the best engine that the host supports.
const EngineAuto = "auto"

// Desired is the spec of this role. The zero value is the role switched off.
type Desired struct {
	On       bool
	Revision uint64
	Engine   string    // [EngineAuto] or the name of a candidate
	Services []Service // sorted by key
	Peers    []Peer    // sorted by agent ID
	Rejected []Rejected
	Warnings []string // of what else of the config is not used, as sentences
}

// Service is a service with the fields that only this role needs.
type Service struct {
	LoadBalancer string // its ID, for metrics and events
	Exposure     string
	Check        *health.Check    // nil: backends count as up
	Wanted       datapath.Service // its delivery may be "", for the engine's best; all backends are up
	Peers        []string         // agent IDs of the peers that carry it, sorted; nil: all peers
	Session      *Session         // nil: each connection is placed on its own
	Sample       bool             // which client networks send the most; changes nothing in the data path
	Invalid      string           // why its newest spec can't be used, as a clause; "": it is used
	Former       bool             // with Invalid: the other fields are those of its last valid spec; otherwise there is none
}

// Rejected is a service of the config that has no valid key, or that of another service.
type Rejected struct {
	LoadBalancer, Address, Protocol string
	Port                            uint32
	Reason                          string // a clause
}

// Peer is another replica that may receive packets of our clients.
type Peer struct {
	AgentID string
	Address string // host:port
}

// Equal compares by value, without what changes nothing in the data path: the revision, and which
// services are sampled.
func (d Desired) Equal(other Desired) bool {
	return d.On == other.On && d.Engine == other.Engine && slices.Equal(d.Peers, other.Peers) &&
		slices.EqualFunc(d.Services, other.Services, equalServices) && slices.Equal(d.Rejected, other.Rejected)
}

// names reports whether the spec has a service.
func (d Desired) names(key datapath.Key) bool { return d.service(key) != nil }

// bySession reports whether the spec has a service by session.
func (d Desired) bySession() bool {
	return slices.ContainsFunc(d.Services, func(s Service) bool { return s.Session != nil })
}

// service returns a service of the spec, or nil.
func (d Desired) service(key datapath.Key) *Service {
	at, found := slices.BinarySearchFunc(d.Services, key, func(s Service, key datapath.Key) int { return compareKeys(s.Wanted.Key, key) })
	if !found {
		return nil
	}
	return &d.Services[at]
}

func equalServices(a, b Service) bool {
	return a.LoadBalancer == b.LoadBalancer && a.Invalid == b.Invalid && a.Exposure == b.Exposure && equalChecks(a.Check, b.Check) &&
		(a.Peers == nil) == (b.Peers == nil) && slices.Equal(a.Peers, b.Peers) && a.Session.equal(b.Session) && a.Wanted.Equal(&b.Wanted)
}

func equalChecks(a, b *health.Check) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// target returns the health check of a backend, if it has one.
func (s *Service) target(backend datapath.Backend) (health.Target, bool) {
	if s.Check == nil || backend.State == datapath.Inactive {
		return health.Target{}, false
	}
	return health.Target{Address: backend.Address, Port: backend.Port, Check: *s.Check}, true
}
