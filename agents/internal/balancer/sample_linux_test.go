package balancer_test

import (
	"testing"

	"fairlead.dev/agents/internal/balancer"
	"fairlead.dev/agents/internal/balancer/balancertest"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
)

func TestClientsAreSampledWithEachEngineButXDP(t *testing.T) {
	for _, candidate := range balancer.Candidates() {
		if candidate.Name == "ipvs" {
			t.Log("ipvs is tried by its own package, in a kernel that has it")
			continue
		}
		t.Run(candidate.Name, func(t *testing.T) {
			if candidate.BeforeTaps {
				balancertest.HidesClients(t, candidate, preparePeer)
				return
			}
			balancertest.SamplesClients(t, candidate, func(*testing.T, *datapathtest.Network) {})
		})
	}
}
