package adaptive

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"slices"

	"fairlead.dev/agents/internal/adaptive/program"
	"fairlead.dev/agents/internal/balancer"
	"fairlead.dev/agents/internal/balancer/datapath"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

func byKey(a, b Service) int {
	return cmp.Or(a.Key.Address.Compare(b.Key.Address), cmp.Compare(a.Key.Port, b.Key.Port), cmp.Compare(a.Key.Protocol, b.Key.Protocol))
}

// parseServices returns the valid services by key, and the others with the reason. Of two services that can't exist
// together, all nodes reject the same one.
func parseServices(specs []*agentv1.AdaptiveService) (services []Service, rejected []Rejected) {
	reject := func(spec *agentv1.AdaptiveService, key datapath.Key, err error) {
		rejected = append(rejected, Rejected{
			Key: key, LoadBalancer: spec.GetLoadBalancerId(), Address: spec.GetAddress(), Port: spec.GetPort(), Protocol: spec.GetProtocol(), Reason: err.Error(),
		})
	}
	specOf := map[datapath.Key]*agentv1.AdaptiveService{}
	var valid []Service
	for _, spec := range specs {
		key, err := parseKey(spec)
		if err != nil {
			reject(spec, key, err)
			continue
		}
		if specOf[key] != nil {
			reject(spec, datapath.Key{}, errors.New("it is defined twice; give each address, port and protocol once"))
			continue
		}
		specOf[key] = spec
		service, err := parseService(spec, key)
		if err != nil {
			reject(spec, key, err)
			continue
		}
		valid = append(valid, service)
	}
	slices.SortFunc(valid, byKey)
	owners := owners{}
	for i := range valid {
		if err := owners.conflict(&valid[i]); err != nil {
			reject(specOf[valid[i].Key], valid[i].Key, err)
			continue
		}
		owners.add(&valid[i])
		services = append(services, valid[i])
	}
	return services, rejected
}

func parseKey(spec *agentv1.AdaptiveService) (key datapath.Key, err error) {
	at, err := parseAddress(spec.GetAddress(), spec.GetPort())
	if err != nil {
		return key, err
	}
	protocol, err := parseProtocol(spec.GetProtocol())
	if err != nil {
		return key, err
	}
	return datapath.Key{Address: at.Addr(), Port: at.Port(), Protocol: protocol}, nil
}

func parseService(spec *agentv1.AdaptiveService, key datapath.Key) (parsed Service, err error) {
	parsed = Service{
		Key: key, LoadBalancer: spec.GetLoadBalancerId(), Exposure: spec.GetExposureId(), EndsConnections: spec.GetEndsConnections(),
	}
	if id := parsed.LoadBalancer; id == "" || len(id) > textMost {
		return parsed, fmt.Errorf("the load balancer's ID has %d bytes; give 1 to %d", len(id), textMost)
	}
	if parsed.Check, err = balancer.ParseCheck(spec.GetHealthCheck()); err != nil {
		return parsed, fmt.Errorf("health check: %w", err)
	}
	ids, places, atNode := map[string]bool{}, map[netip.AddrPort]string{}, map[string]int{}
	for _, backend := range spec.GetBackends() {
		one, err := parseBackend(backend, key)
		other, taken := places[one.Address]
		switch {
		case err != nil:
		case ids[one.ID]:
			err = errors.New("is defined twice; give each ID once")
		case taken:
			err = fmt.Errorf("is at %s, as is backend %q; give each place once, with a greater weight if it should get more", one.Address, other)
		case atNode[one.Node] == int(program.SocketsLimitsMEMBERS):
			err = fmt.Errorf("its node %s has more than %d backends of the service; distribute them over more nodes", one.Node, program.SocketsLimitsMEMBERS)
		}
		if err != nil {
			return parsed, fmt.Errorf("backend %q: %w", backend.GetId(), err)
		}
		ids[one.ID], places[one.Address] = true, one.ID
		atNode[one.Node]++
		parsed.Backends = append(parsed.Backends, one)
	}
	if most := int(program.SocketsLimitsOTHERS); len(atNode) > most {
		return parsed, fmt.Errorf("it has backends at %d nodes; give at most %d", len(atNode), most)
	}
	slices.SortFunc(parsed.Backends, func(a, b Backend) int { return a.Address.Compare(b.Address) })
	return parsed, nil
}

func parseBackend(backend *agentv1.AdaptiveBackend, service datapath.Key) (parsed Backend, err error) {
	parsed = Backend{ID: backend.GetId(), Node: backend.GetNodeId(), Weight: uint16(backend.GetWeight()), State: datapath.State(backend.GetState())}
	if parsed.Address, err = parseAddress(backend.GetAddress(), backend.GetPort()); err != nil {
		return parsed, err
	}
	switch address := parsed.Address.Addr(); {
	case parsed.ID == "":
		return parsed, errors.New("its ID is missing; give each backend one")
	case len(parsed.ID) > textMost || len(parsed.Node) > textMost:
		return parsed, fmt.Errorf("an ID is too long; give at most %d bytes", textMost)
	case parsed.Node == "":
		return parsed, errors.New("node_id is missing; give the node that it is at")
	case address.Is4() != service.Address.Is4():
		return parsed, fmt.Errorf("address %s is of another IP version than the service; give each version its own service", address)
	case address == service.Address:
		return parsed, fmt.Errorf("address %s is the service's own; give the backend's", address)
	case backend.GetWeight() > weightMost:
		return parsed, fmt.Errorf("weight %d is out of range; give up to %d, or 0 for standby", backend.GetWeight(), weightMost)
	}
	switch parsed.State {
	case datapath.Active, datapath.Draining, datapath.Filling, datapath.Inactive:
		return parsed, nil
	}
	return parsed, fmt.Errorf("state %q is unknown; give %q, %q, %q or %q", parsed.State, datapath.Active, datapath.Draining, datapath.Filling, datapath.Inactive)
}
