package lab

import (
	"cmp"
	"crypto/rand"
	"net/netip"
	"slices"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/lab/topology"
)

const (
	companionPort = 7446 // where agents of servers receive messages of balancers
	replicaPort   = 7447 // where balancers receive theirs
	keyBytes      = 64
	numbersMost   = 127
)

// sessions are what a control plane would assign to services by session.
type sessions struct {
	keys map[string]*agentv1.SessionKeys // by service
	last uint32                          // number of a pod
}

func newSessions(services []topology.Service) sessions {
	s := sessions{keys: map[string]*agentv1.SessionKeys{}}
	for _, service := range services {
		if service.Session {
			key := make([]byte, keyBytes)
			_, _ = rand.Read(key) // never fails
			s.keys[service.Name] = &agentv1.SessionKeys{Current: key}
		}
	}
	return s
}

// nextNumber repeats numbers once all are used, which balancers support.
func (s *sessions) nextNumber() uint32 {
	s.last = s.last%numbersMost + 1
	return s.last
}

func (s *sessions) of(service topology.Service) *agentv1.SessionService {
	if !service.Session {
		return nil
	}
	return &agentv1.SessionService{Keys: s.keys[service.Name], Names: "learned", Ids: true}
}

// companion is where the agent of a pod's node receives messages for it: at its first address.
func (e *podEntry) companion() string {
	return netip.AddrPortFrom(slices.MinFunc(e.addresses, netip.Addr.Compare), companionPort).String()
}

// servers are the pods of a node that take connections by session.
func (p *pods) servers(node string, services []*agentv1.BalancerService, replicas []string) (servers []*agentv1.BackendServer) {
	for _, service := range services {
		for _, backend := range service.GetBackends() {
			entry := p.members[backend.GetId()]
			if entry == nil || entry.Node != node || backend.GetSession() == nil {
				continue
			}
			servers = append(servers, &agentv1.BackendServer{
				BackendId: backend.GetId(), LoadBalancerId: service.GetLoadBalancerId(), ExposureId: service.GetExposureId(), Instance: entry.Name,
				OwnAddress: backend.GetAddress(), Address: service.GetAddress(), Port: service.GetPort(),
				Number: backend.GetSession().GetNumber(), Keys: service.GetSession().GetKeys(), Replicas: replicas,
			})
		}
	}
	slices.SortFunc(servers, func(a, b *agentv1.BackendServer) int {
		return cmp.Or(cmp.Compare(a.GetBackendId(), b.GetBackendId()), cmp.Compare(a.GetAddress(), b.GetAddress()), cmp.Compare(a.GetPort(), b.GetPort()))
	})
	return servers
}
