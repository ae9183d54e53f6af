package balancer_test

import (
	"testing"

	"fairlead.dev/agents/internal/balancer"
	"fairlead.dev/agents/internal/balancer/balancertest"
	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
)

func TestChangesOfTheNetworkTakeEffectAtOnce(t *testing.T) {
	deliveries := map[string]datapath.Delivery{"tcx": datapath.NAT, "xdp": datapath.Direct, "nftables": datapath.NAT, "userspace": datapath.Proxy}
	for _, candidate := range balancer.Candidates() {
		if delivery, tried := deliveries[candidate.Name]; tried {
			t.Run(candidate.Name, func(t *testing.T) {
				balancertest.NoticesPaths(t, candidate, delivery, func(t *testing.T, network *datapathtest.Network) {
					if candidate.Name == "xdp" {
						preparePeer(t, network)
					}
				})
			})
		}
	}
}
