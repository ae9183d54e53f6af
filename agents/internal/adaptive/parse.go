package adaptive

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"slices"
	"strings"

	"fairlead.dev/agents/internal/adaptive/mesh"
	"fairlead.dev/agents/internal/adaptive/program"
	"fairlead.dev/agents/internal/balancer/datapath"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// Limits of one agent.
const (
	servicesMost = int(program.LastNumber)
	prefixesMost = 4096 // of all nodes together
	coresMost    = 4096
	textMost     = 253 // of an ID
	weightMost   = 256
)

// ParseDesired parses the role's part of a config. An invalid service or peer is only listed, with field and fix, so
// that the others continue; an error rejects the whole config.
func ParseDesired(config *agentv1.NodeConfig) (desired Desired, err error) {
	role := config.GetAdaptive()
	if role == nil {
		return Desired{}, nil
	}
	desired = Desired{On: true, Node: role.GetNodeId(), Cores: role.GetCores()}
	switch {
	case desired.Node == "" || len(desired.Node) > textMost:
		return Desired{}, fmt.Errorf("node_id has %d bytes; give 1 to %d", len(desired.Node), textMost)
	case !(desired.Cores >= 0 && desired.Cores <= coresMost):
		return Desired{}, fmt.Errorf("cores %v is out of range; give up to %d, or 0 for those of the cgroup", desired.Cores, coresMost)
	case len(role.GetServices()) > servicesMost:
		return Desired{}, fmt.Errorf("%d services are too many for one agent; give at most %d", len(role.GetServices()), servicesMost)
	case len(role.GetPeers()) > mesh.PeersMost:
		return Desired{}, fmt.Errorf("%d peers are too many for one agent; give at most %d", len(role.GetPeers()), mesh.PeersMost)
	}
	if desired.Prefixes, err = parsePrefixes(role.GetPrefixes()); err != nil {
		return Desired{}, err
	}
	if desired.Keys, err = parseKeys(role.GetKeys()); err != nil {
		return Desired{}, err
	}
	desired.Peers, desired.Warnings = parsePeers(role, desired.Prefixes)
	if len(desired.Peers) > 0 && desired.Keys.Current == [mesh.KeyBytes]byte{} {
		return Desired{}, errors.New("keys are missing; give the current one, with which nodes sign their figures")
	}
	desired.Services, desired.Rejected = parseServices(role.GetServices())
	return desired, nil
}

func parseKeys(keys *agentv1.MeshKeys) (parsed mesh.Keys, err error) {
	for _, one := range []struct {
		name string
		from []byte
		into *[mesh.KeyBytes]byte
	}{{"current", keys.GetCurrent(), &parsed.Current}, {"previous", keys.GetPrevious(), &parsed.Previous}} {
		if size := len(one.from); size != 0 && size != mesh.KeyBytes {
			return parsed, fmt.Errorf("the %s key has %d bytes; give %d", one.name, size, mesh.KeyBytes)
		}
		copy(one.into[:], one.from)
	}
	return parsed, nil
}

func parsePrefixes(texts []string) (parsed []netip.Prefix, err error) {
	for _, text := range texts {
		prefix, err := netip.ParsePrefix(text)
		if err != nil || prefix.Addr().Is4In6() {
			return nil, fmt.Errorf("the prefix %q is invalid; give one as in 10.244.1.0/24 or fd00:1::/64", text)
		}
		parsed = append(parsed, prefix.Masked())
	}
	slices.SortFunc(parsed, comparePrefixes)
	return slices.Compact(parsed), nil
}

func comparePrefixes(a, b netip.Prefix) int {
	return cmp.Or(a.Addr().Compare(b.Addr()), cmp.Compare(a.Bits(), b.Bits()))
}

// parsePeers leaves invalid peers out, with a warning each: nothing is exchanged with them.
func parsePeers(role *agentv1.AdaptiveRole, own []netip.Prefix) (parsed []Peer, warnings []string) {
	nodes, owners := map[string]bool{role.GetNodeId(): true}, map[netip.Prefix]string{}
	for _, prefix := range own {
		owners[prefix] = role.GetNodeId()
	}
	for _, peer := range role.GetPeers() {
		one, err := parsePeer(peer)
		if err == nil && nodes[one.Node] {
			err = errors.New("its node is given twice; give each once, without this one")
		}
		for _, prefix := range one.Prefixes {
			if owner, taken := owners[prefix]; err == nil && taken {
				err = fmt.Errorf("its prefix %s is of node %s too; give each to one", prefix, owner)
			}
		}
		if err == nil && len(owners)+len(one.Prefixes) > prefixesMost {
			err = fmt.Errorf("nodes have more than %d prefixes; give larger ones", prefixesMost)
		}
		if err != nil {
			warnings = append(warnings, fmt.Sprintf("No figures are exchanged with the node %q: %v.", peer.GetNodeId(), err))
			continue
		}
		nodes[one.Node] = true
		for _, prefix := range one.Prefixes {
			owners[prefix] = one.Node
		}
		parsed = append(parsed, one)
	}
	slices.SortFunc(parsed, func(a, b Peer) int { return cmp.Compare(a.Node, b.Node) })
	return parsed, warnings
}

func parsePeer(peer *agentv1.AdaptivePeer) (parsed Peer, err error) {
	parsed = Peer{Agent: peer.GetAgentId(), Node: peer.GetNodeId()}
	if parsed.Node == "" || len(parsed.Node) > textMost {
		return parsed, fmt.Errorf("its ID has %d bytes; give 1 to %d", len(parsed.Node), textMost)
	}
	at, err := netip.ParseAddrPort(peer.GetAddress())
	if err != nil || at.Port() == 0 || at.Addr().IsUnspecified() || at.Addr().IsMulticast() || at.Addr().Zone() != "" {
		return parsed, fmt.Errorf("its address %q is invalid; give an IP address and a port, as in 10.0.0.2:7448 or [fd00::2]:7448", peer.GetAddress())
	}
	parsed.Address = netip.AddrPortFrom(at.Addr().Unmap(), at.Port())
	parsed.Prefixes, err = parsePrefixes(peer.GetPrefixes())
	return parsed, err
}

// parseAddress parses the address and port of a service or a backend.
func parseAddress(address string, port uint32) (parsed netip.AddrPort, err error) {
	at, err := netip.ParseAddr(address)
	switch {
	case err != nil || at.Zone() != "" || at.IsUnspecified() || at.IsMulticast():
		return parsed, fmt.Errorf("address %q is invalid; give one unicast IPv4 or IPv6 address, without prefix length or zone", address)
	case port == 0 || port > math.MaxUint16:
		return parsed, fmt.Errorf("port %d can't be connected to; give 1 to %d", port, math.MaxUint16)
	}
	return netip.AddrPortFrom(at.Unmap(), uint16(port)), nil
}

func parseProtocol(text string) (datapath.Protocol, error) {
	for _, protocol := range []datapath.Protocol{datapath.TCP, datapath.UDP} {
		if text == protocol.String() {
			return protocol, nil
		}
	}
	return 0, fmt.Errorf("protocol %q isn't distributed; give %q or %q", text, datapath.TCP, datapath.UDP)
}

// sentence is an error as users read it.
func sentence(err error) string {
	text := strings.ReplaceAll(strings.TrimSuffix(err.Error(), "."), "\n", "; ")
	return strings.ToUpper(text[:1]) + text[1:] + "."
}
