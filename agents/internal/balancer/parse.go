package balancer

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"fairlead.dev/agents/internal/balancer/datapath"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// Limits of one replica. Tables of a service cost tens of kilobytes, and rows are only
// shared fairly among far fewer backends than rows.
const (
	servicesMost = 10_000
	backendsMost = 1_000 // of one service
	weightMost   = 256   // of a backend
	peersMost    = 256
	textMost     = 253 // of an ID or a name
)

// everyDelivery lists the deliveries that at least one engine supports.
var everyDelivery = []datapath.Delivery{datapath.Direct, datapath.Tunnel, datapath.GUE, datapath.NAT, datapath.Proxy}

// ParseDesired parses the role's part of a config. An invalid service is only marked, with field and fix,
// so that the others are carried; an error rejects the whole config. Engines receive only valid specs.
func ParseDesired(config *agentv1.NodeConfig) (Desired, error) {
	role := config.GetBalancer()
	if role == nil {
		return Desired{Revision: config.GetRevision()}, nil
	}
	desired := Desired{On: true, Revision: config.GetRevision(), Engine: cmp.Or(role.GetEngine(), EngineAuto)}
	if desired.Engine != EngineAuto && !slices.Contains(engineNames, desired.Engine) {
		return Desired{}, fmt.Errorf("engine %q is unknown; give one of %s, or %q", desired.Engine, strings.Join(engineNames, ", "), EngineAuto)
	}
	if got := len(role.GetServices()); got > servicesMost {
		return Desired{}, fmt.Errorf("%d services are too many for one replica; give at most %d", got, servicesMost)
	}
	desired.Services, desired.Rejected = parseServices(role.GetServices())
	var err error
	desired.Peers, desired.Warnings, err = parsePeers(role.GetPeers())
	return desired, err
}

// parseKey parses what distinguishes services.
func parseKey(service *agentv1.BalancerService) (key datapath.Key, err error) {
	if key.Address, err = parseAddress(service.GetAddress()); err != nil {
		return key, err
	}
	if key.Port, err = parsePort(service.GetPort()); err != nil {
		return key, err
	}
	key.Protocol, err = parseProtocol(service.GetProtocol())
	return key, err
}

func parseService(service *agentv1.BalancerService, key datapath.Key) (parsed Service, err error) {
	parsed.LoadBalancer, parsed.Exposure = service.GetLoadBalancerId(), service.GetExposureId()
	parsed.Sample = service.GetSampleClients()
	if peers := service.GetPeers(); peers != nil {
		parsed.Peers = slices.Sorted(slices.Values(peers.GetAgentIds()))
		if parsed.Peers == nil {
			parsed.Peers = []string{} // none, in contrast to all
		}
	}
	wanted := &parsed.Wanted
	wanted.Key = key
	wanted.Delivery, wanted.Scheduler = datapath.Delivery(service.GetDelivery()), service.GetScheduler()
	if wanted.Delivery != "" && !slices.Contains(everyDelivery, wanted.Delivery) {
		return parsed, fmt.Errorf("delivery %q is unknown; give one of %q, or none for the best that the engine has", wanted.Delivery, everyDelivery)
	}
	wanted.ProxyProtocol = service.GetProxyProtocol()
	if wanted.ProxyProtocol && wanted.Delivery == "" {
		wanted.Delivery = datapath.Proxy // no other delivery supports it
	}
	if parsed.Check, err = ParseCheck(service.GetHealthCheck()); err != nil {
		return parsed, fmt.Errorf("health check: %w", err)
	}
	weightLeast := uint32(1)
	if service.GetByCost() {
		wanted.Chooser, weightLeast = datapath.ByCost, 0
	}
	wanted.Backends, err = parseBackends(service.GetBackends(), weightLeast)
	if wanted.ByServerName() && wanted.Delivery == "" {
		wanted.Delivery = datapath.Proxy // no other delivery reads them
	}
	if err != nil {
		return parsed, err
	}
	if err = parseSession(service, &parsed); err != nil {
		return parsed, err
	}
	return parsed, checkTogether(parsed)
}

func parseBackends(backends []*agentv1.BalancerBackend, weightLeast uint32) ([]datapath.Backend, error) {
	if len(backends) > backendsMost {
		return nil, fmt.Errorf("%d backends are too many for one service; give at most %d", len(backends), backendsMost)
	}
	parsed := make([]datapath.Backend, 0, len(backends))
	for _, backend := range backends {
		one, err := parseBackend(backend, weightLeast)
		if err != nil {
			return nil, fmt.Errorf("backend %q: %w", backend.GetId(), err)
		}
		parsed = append(parsed, one)
	}
	slices.SortStableFunc(parsed, func(a, b datapath.Backend) int { return cmp.Compare(a.ID, b.ID) })
	return parsed, nil
}

func parseBackend(backend *agentv1.BalancerBackend, weightLeast uint32) (parsed datapath.Backend, err error) {
	parsed = datapath.Backend{ID: backend.GetId(), State: datapath.State(backend.GetState()), Up: true}
	if parsed.Elsewhere = backend.GetElsewhere(); parsed.Elsewhere && parsed.State != datapath.Draining {
		return parsed, fmt.Errorf("state %q can't be that of a backend of another cluster; give %q", parsed.State, datapath.Draining)
	}
	if len(parsed.ID) > textMost {
		return parsed, fmt.Errorf("an ID of %d bytes is too long; give at most %d", len(parsed.ID), textMost)
	}
	if parsed.Address, err = parseAddress(backend.GetAddress()); err != nil {
		return parsed, err
	}
	if parsed.Port, err = parsePort(backend.GetPort()); err != nil {
		return parsed, err
	}
	if backend.GetWeight() < weightLeast || backend.GetWeight() > weightMost {
		return parsed, fmt.Errorf("weight %d is out of range; give 1 to %d, or state %q for no traffic", backend.GetWeight(), weightMost, datapath.Inactive)
	}
	parsed.Weight = uint16(backend.GetWeight())
	parsed.ServerNames, err = parseServerNames(backend.GetServerNames())
	return parsed, err
}

func parseAddress(text string) (netip.Addr, error) {
	if text == "" {
		return netip.Addr{}, errors.New("address is missing; give one IPv4 or IPv6 address")
	}
	address, err := netip.ParseAddr(text)
	if err != nil || address.Zone() != "" {
		return netip.Addr{}, fmt.Errorf("address %q is invalid; give one IPv4 or IPv6 address, without prefix length or zone", text)
	}
	return address.Unmap(), nil
}

func parsePort(port uint32) (uint16, error) {
	if port == 0 || port > 65535 {
		return 0, fmt.Errorf("port %d can't be connected to; give 1 to 65535", port)
	}
	return uint16(port), nil
}

func parseProtocol(text string) (datapath.Protocol, error) {
	for _, protocol := range []datapath.Protocol{datapath.TCP, datapath.UDP} {
		if text == protocol.String() {
			return protocol, nil
		}
	}
	return 0, fmt.Errorf("protocol %q isn't carried; give %q or %q", text, datapath.TCP, datapath.UDP)
}

// parsePeers leaves invalid peers out, with a warning each.
func parsePeers(peers []*agentv1.BalancerPeer) (parsed []Peer, warnings []string, err error) {
	if len(peers) > peersMost {
		return nil, nil, fmt.Errorf("%d peers are too many; give at most %d", len(peers), peersMost)
	}
	for _, peer := range peers {
		where, err := netip.ParseAddrPort(peer.GetAddress())
		if err != nil || where.Port() == 0 {
			warnings = append(warnings, fmt.Sprintf("No flows are shared with the peer %q: its address %q is invalid; give an IP address and a port, as in 10.0.0.2:7444 or [fd00::2]:7444.", peer.GetAgentId(), peer.GetAddress()))
			continue
		}
		parsed = append(parsed, Peer{AgentID: peer.GetAgentId(), Address: where.String()})
	}
	slices.SortFunc(parsed, func(a, b Peer) int {
		return cmp.Or(cmp.Compare(a.AgentID, b.AgentID), cmp.Compare(a.Address, b.Address))
	})
	return slices.Compact(parsed), warnings, nil
}

func byKey(a, b Service) int { return compareKeys(a.Wanted.Key, b.Wanted.Key) }
