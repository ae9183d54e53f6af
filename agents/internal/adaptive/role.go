package adaptive

import (
	"net/netip"
	"slices"

	"fairlead.dev/agents/internal/adaptive/mesh"
	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/health"
)

// RoleName is the name of this role on the command line and in the protocol.
const RoleName = "adaptive"

// Desired is the complete state of the role. The zero value is off.
type Desired struct {
	On       bool
	Node     string         // the ID of this node
	Prefixes []netip.Prefix // of clients at this node
	Cores    float64        // 0: those of the cgroup
	Keys     mesh.Keys
	Peers    []Peer    // sorted by node
	Services []Service // sorted by key
	Rejected []Rejected
	Former   map[datapath.Key]string // services that continue as before, because their spec is invalid; with the reason, as a sentence
	Warnings []string                // of peers that aren't used, as sentences
}

// Service is an address whose connections are distributed.
type Service struct {
	LoadBalancer    string // its ID
	Exposure        string
	Key             datapath.Key
	Check           *health.Check // nil: backends count as up
	Backends        []Backend     // sorted by address
	EndsConnections bool          // to removed backends
}

// Backend is one destination of a service.
type Backend struct {
	ID, Node string
	Address  netip.AddrPort
	Weight   uint16 // 0: standby
	State    datapath.State
}

// Peer is another node.
type Peer struct {
	Agent, Node string // IDs
	Address     netip.AddrPort
	Prefixes    []netip.Prefix
}

// meshID is that of the service in figures of nodes. A load balancer may have several ports.
func (s *Service) meshID() string { return s.LoadBalancer + " " + s.Key.String() }

// at returns the addresses of the backends at a node.
func (s *Service) at(node string) (all []netip.AddrPort) {
	for i := range s.Backends {
		if s.Backends[i].Node == node {
			all = append(all, s.Backends[i].Address)
		}
	}
	return all
}

// nodes returns the nodes with backends, sorted.
func (s *Service) nodes() (all []string) {
	for i := range s.Backends {
		all = append(all, s.Backends[i].Node)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// target is the health check of a backend, if it has one.
func (s *Service) target(b *Backend) (target health.Target, has bool) {
	if s.Check == nil || b.State == datapath.Inactive {
		return target, false
	}
	return health.Target{Address: b.Address.Addr(), Port: b.Address.Port(), Check: *s.Check}, true
}

// takes reports whether a backend that is up gets new connections.
func (b *Backend) takes() bool { return b.State == datapath.Active || b.State == datapath.Filling }
