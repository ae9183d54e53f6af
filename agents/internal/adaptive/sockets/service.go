package sockets

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"

	"fairlead.dev/agents/internal/adaptive/program"
	"fairlead.dev/agents/internal/balancer/datapath"
)

// Service is an address whose connections are distributed.
type Service struct {
	Key      datapath.Key
	Number   uint16 // 1 to program.LastNumber, and the same for package signals
	Backends []Backend
}

// Backend is one destination of a service.
type Backend struct {
	Address netip.AddrPort
	Node    string
	Weight  uint16 // connections that it should have compared with the node's others; 0: standby
	Up      bool   // takes new connections; existing ones continue anyway
}

func (s *Service) check() error {
	key := s.Key
	switch {
	case !key.Address.IsValid() || key.Address.IsUnspecified() || key.Address.Is4In6() || key.Port == 0:
		return errors.New("has no address and port: give both")
	case key.Protocol != datapath.TCP && key.Protocol != datapath.UDP:
		return fmt.Errorf("has IP protocol %d: use TCP or UDP", key.Protocol)
	case s.Number == 0 || s.Number > program.LastNumber:
		return fmt.Errorf("has the number %d: give 1 to %d", s.Number, program.LastNumber)
	}
	return s.checkBackends()
}

func (s *Service) checkBackends() error {
	seen, nodes := map[netip.AddrPort]bool{}, map[string]int{}
	for _, b := range s.Backends {
		switch {
		case !b.Address.IsValid() || b.Address.Port() == 0 || b.Address.Addr().IsUnspecified():
			return fmt.Errorf("has a backend at %s: give an address and a port", b.Address)
		case b.Address.Addr().Is4() != s.Key.Address.Is4():
			return fmt.Errorf("has the backend %s of another IP version: give each version its own service", b.Address)
		case b.Node == "":
			return fmt.Errorf("has the backend %s without a node: name its node", b.Address)
		case seen[b.Address]:
			return fmt.Errorf("has the backend %s twice: give each once", b.Address)
		}
		seen[b.Address] = true
		nodes[b.Node]++
		if most := int(program.SocketsLimitsMEMBERS); nodes[b.Node] > most {
			return fmt.Errorf("has more than %d backends at node %s: use fewer", most, b.Node)
		}
	}
	if most := int(program.SocketsLimitsOTHERS); len(nodes) > most {
		return fmt.Errorf("has backends at %d nodes: at most %d are possible", len(nodes), most)
	}
	return nil
}

// sift returns the services that can be set, and why not the others. One that fails stays as it was
// set before, if it was.
func sift(wanted, before []Service) (good []Service, failures []datapath.Failure) {
	keys, numbers := map[datapath.Key]bool{}, map[uint16]datapath.Key{}
	for i := range wanted {
		service := &wanted[i]
		if keys[service.Key] {
			const reason = "is defined twice; give each address, port and protocol once"
			failures = append(failures, datapath.Failure{Service: service.Key, Reason: reason, Previous: true})
			continue
		}
		keys[service.Key] = true
		err := service.check()
		if other, taken := numbers[service.Number]; err == nil && taken {
			err = fmt.Errorf("has the number %d of service %s: give each its own", service.Number, other)
		}
		if err == nil {
			numbers[service.Number] = service.Key
			good = append(good, Service{service.Key, service.Number, slices.Clone(service.Backends)})
			continue
		}
		was := slices.IndexFunc(before, func(b Service) bool { return b.Key == service.Key })
		stays := was >= 0 && numbers[before[was].Number] == datapath.Key{}
		if stays {
			numbers[before[was].Number] = service.Key
			good = append(good, before[was])
		}
		failures = append(failures, datapath.Failure{Service: service.Key, Reason: err.Error(), Previous: stays})
	}
	return good, failures
}
