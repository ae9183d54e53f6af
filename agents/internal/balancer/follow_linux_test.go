package balancer_test

import (
	"testing"

	"fairlead.dev/agents/internal/balancer"
	"fairlead.dev/agents/internal/balancer/balancertest"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	"fairlead.dev/agents/internal/balancer/datapath/xdp"
)

func TestADeadBackendGetsNoConnectionATenthOfASecondAfterItIsKnown(t *testing.T) {
	for _, candidate := range balancer.Candidates() {
		if candidate.Name == "ipvs" {
			t.Log("ipvs is tried by its own package, in a kernel that has it")
			continue
		}
		t.Run(candidate.Name, func(t *testing.T) {
			balancertest.Follows(t, candidate, func(t *testing.T, network *datapathtest.Network) {
				if candidate.Name == "xdp" {
					preparePeer(t, network)
				}
			})
		})
	}
}

// preparePeer does what the host of a balancer's pod must do for XDP.
func preparePeer(t *testing.T, network *datapathtest.Network) {
	t.Helper()
	if err := network.Router.Do(func() error {
		peer, err := xdp.PreparePeer("balancer1")
		if err == nil {
			t.Cleanup(func() { _ = peer.Close() })
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}
