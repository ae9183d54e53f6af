package adaptive

import (
	"net/netip"
	"strings"

	"fairlead.dev/agents/internal/adaptive/mesh"
	"fairlead.dev/agents/internal/balancer/datapath"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// configOf is what the control plane would send to the agent of a node.
func configOf(self int) *agentv1.NodeConfig {
	role := &agentv1.AdaptiveRole{NodeId: nameOf(self), Keys: &agentv1.MeshKeys{Current: []byte(strings.Repeat("k", 32))}}
	for _, over := range transports {
		role.Services = append(role.Services, serviceOver(over))
	}
	for i := range nodes {
		// Of clients at the node, and of its balancer, which sends its own address to servers.
		prefixes := []string{wholly(addressOf(i)).String(), wholly(balancerAddress(i)).String(), wholly(address6Of(i)).String()}
		if i == self {
			role.Prefixes = prefixes
			continue
		}
		role.Peers = append(role.Peers, &agentv1.AdaptivePeer{
			AgentId: "agt_" + nameOf(i), NodeId: nameOf(i), Address: netip.AddrPortFrom(addressOf(i), mesh.Port).String(), Prefixes: prefixes,
		})
	}
	return &agentv1.NodeConfig{Revision: 1, Adaptive: role}
}

// serviceOver has health checks, so that a killed server is noticed, except with UDP.
func serviceOver(over transport) *agentv1.AdaptiveService {
	at := ourServices[over]
	service := &agentv1.AdaptiveService{
		LoadBalancerId: "lb_bench" + string(over), Address: at.Addr().String(), Port: uint32(at.Port()), Protocol: over.protocol(),
	}
	if over != overUDP {
		service.HealthCheck = &agentv1.HealthCheck{Type: "tcp", IntervalMs: 500, TimeoutMs: 400, Rise: 1, Fall: 1}
	}
	for i, at := range over.backends() {
		service.Backends = append(service.Backends, &agentv1.AdaptiveBackend{
			Id: "be_" + nameOf(i) + string(over), Address: at.Addr().String(), Port: uint32(at.Port()), Weight: 1,
			State: string(datapath.Active), NodeId: nameOf(i),
		})
	}
	return service
}
