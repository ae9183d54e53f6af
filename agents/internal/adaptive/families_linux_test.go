package adaptive

import (
	"fmt"
	"net/netip"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// address6 is that of a node.
func (n *labNode) address6() netip.Addr {
	v4 := n.at.As4()
	return netip.AddrFrom16([16]byte{0: 0xfd, 2: 9, 15: v4[3]})
}

func TestUDPAndIPv6StayAtTheirNodeUntilItIsBusy(t *testing.T) {
	tests := []struct {
		network string
		service netip.AddrPort
	}{
		{tcp, netip.MustParseAddrPort("[fd00:96::10]:80")},
		{udp, netip.MustParseAddrPort("10.96.0.12:53")},
		{unconnected, netip.MustParseAddrPort("10.96.0.13:53")},
		{udp, netip.MustParseAddrPort("[fd00:96::12]:53")},
		{unconnected, netip.MustParseAddrPort("[fd00:96::13]:53")},
	}
	nodes := newLab(t, 3)
	for _, n := range nodes {
		n.stop()
		must(t, n.space.AddAddress("eth0", netip.PrefixFrom(n.address6(), 64)))
	}
	for i, test := range tests {
		for _, n := range nodes {
			n.start(n.cgroup, serverPart, server{Node: n.id, At: n.backendOf(i, test.service), UDP: test.network != tcp})
		}
	}
	for _, n := range nodes {
		role := configOf(n, nodes).GetAdaptive()
		role.Prefixes = append(role.Prefixes, netip.PrefixFrom(n.address6(), 128).String())
		for _, peer := range role.Peers {
			for _, other := range nodes {
				if other.id == peer.GetNodeId() {
					peer.Prefixes = append(peer.Prefixes, netip.PrefixFrom(other.address6(), 128).String())
				}
			}
		}
		for i, test := range tests {
			role.Services = append(role.Services, serviceOf(i, test.network, test.service, nodes))
		}
		n.runAgent(&agentv1.NodeConfig{Revision: 1, Adaptive: role})
	}
	first := nodes[0]
	for _, test := range tests {
		few, many := few, many
		few.Network, many.Network = test.network, test.network
		what := fmt.Sprintf(" of %s to %s", test.network, test.service)
		first.visitUntil("few are served here"+what, test.service, few, isLocal)
		first.visitUntil("many are served by all"+what, test.service, many, func(v visits) bool {
			return v.Failed == 0 && v.share("n1") > 0.2 && v.share("n2") > 0.2 && v.share("n3") > 0.2
		})
	}
	first.wantOpen("afterwards", 0)
}

func (n *labNode) backendOf(i int, service netip.AddrPort) netip.AddrPort {
	at := n.at
	if service.Addr().Is6() {
		at = n.address6()
	}
	return netip.AddrPortFrom(at, uint16(9000+i))
}

func serviceOf(i int, network string, at netip.AddrPort, nodes []*labNode) *agentv1.AdaptiveService {
	service := &agentv1.AdaptiveService{
		LoadBalancerId: fmt.Sprintf("lb_more_%d", i), Address: at.Addr().String(), Port: uint32(at.Port()), Protocol: "udp",
	}
	if network == tcp {
		service.Protocol = "tcp"
	}
	for _, n := range nodes {
		backend := n.backendOf(i, at)
		service.Backends = append(service.Backends, &agentv1.AdaptiveBackend{
			Id: fmt.Sprintf("be_more_%s_%d", n.id, i), Address: backend.Addr().String(), Port: uint32(backend.Port()), Weight: 1,
			State: string(datapath.Active), NodeId: n.id,
		})
	}
	return service
}
