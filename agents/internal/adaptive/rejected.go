package adaptive

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"fairlead.dev/agents/internal/balancer/datapath"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// Rejected is a service of the config with an invalid spec. It continues as its last valid one, if it had one.
type Rejected struct {
	Key                             datapath.Key // zero if it is invalid
	LoadBalancer, Address, Protocol string
	Port                            uint32
	Reason                          string // a clause
}

// status is the report about a service that never had a valid spec.
func (r Rejected) status() *agentv1.AdaptiveServiceStatus {
	return &agentv1.AdaptiveServiceStatus{
		LoadBalancerId: r.LoadBalancer, Address: r.Address, Port: r.Port, Protocol: r.Protocol,
		Message: "Its spec is invalid: " + strings.TrimSuffix(r.Reason, ".") + ".",
	}
}

// after returns a spec in which services with an invalid one are as in the former spec. One that would share a
// backend with a valid service is left out.
func (d Desired) after(former Desired) Desired {
	services, owners := slices.Clone(d.Services), ownersOf(d.Services)
	var others []Rejected
	d.Former = map[datapath.Key]string{}
	for _, one := range d.Rejected {
		was := slices.IndexFunc(former.Services, func(s Service) bool { return s.Key == one.Key })
		if was < 0 || owners.conflict(&former.Services[was]) != nil {
			others = append(others, one)
			continue
		}
		owners.add(&former.Services[was])
		d.Former[one.Key] = "Its spec is invalid, so it continues as before: " + strings.TrimSuffix(one.Reason, ".") + "."
		services = append(services, former.Services[was])
	}
	slices.SortFunc(services, byKey)
	d.Services, d.Rejected = services, others
	return d
}

// owners are the services of backends, each of which can be of one service only: its requests are counted for it.
type owners map[datapath.Key]datapath.Key

func ownersOf(services []Service) owners {
	all := owners{}
	for i := range services {
		all.add(&services[i])
	}
	return all
}

func (o owners) add(s *Service) {
	for i := range s.Backends {
		o[endOf(s, s.Backends[i].Address)] = s.Key
	}
}

// conflict returns an error if another service has a backend of this one.
func (o owners) conflict(s *Service) error {
	for i := range s.Backends {
		if owner, taken := o[endOf(s, s.Backends[i].Address)]; taken && owner != s.Key {
			return fmt.Errorf("backend %q at %s is of service %s and of this one, %s, but its requests can be counted for one only; "+
				"give each service its own port of the backend", s.Backends[i].ID, s.Backends[i].Address, owner, s.Key)
		}
	}
	return nil
}

func endOf(s *Service, at netip.AddrPort) datapath.Key {
	return datapath.Key{Address: at.Addr(), Port: at.Port(), Protocol: s.Key.Protocol}
}
