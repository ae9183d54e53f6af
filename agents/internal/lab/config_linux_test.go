package lab

import (
	"net/netip"
	"testing"

	"fairlead.dev/agents/internal/lab/topology"
)

func TestABalancerStaysAPeerUntilItsRemovalEnds(t *testing.T) {
	l := newLab(Options{Topology: &topology.Topology{Name: "x"}}, nil)
	for name, address := range map[string]string{"lb-1": "10.0.0.1/24", "lb-2": "10.0.0.2/24"} {
		l.members[name] = &member{kind: balancer, name: name, addresses: place{netip.MustParsePrefix(address)}}
		l.order = append(l.order, name)
	}
	stays, leaves := l.members["lb-1"], l.members["lb-2"]
	leaves.leaving = true
	if peers := l.peers(stays); len(peers) != 1 || peers[0].GetAgentId() != "fl-x-lb-2" || peers[0].GetAddress() != "10.0.0.2:7444" {
		t.Errorf("while it leaves: %v", peers)
	}
	leaves.parted = true
	if peers := l.peers(stays); len(peers) != 0 {
		t.Errorf("at its end: %v", peers)
	}
	if peers := l.peers(leaves); len(peers) != 1 {
		t.Errorf("it has sessions with %v itself", peers)
	}
}
