package ipvs_test

import (
	"testing"

	"fairlead.dev/agents/internal/balancer/balancertest"
	fairleadipvs "fairlead.dev/agents/internal/balancer/datapath/ipvs"
)

// TestClientsAreSampled is the balancer's test of that name.
func TestClientsAreSampled(t *testing.T) {
	if !inside() {
		bootForTest(t)
		return
	}
	balancertest.SamplesClients(t, fairleadipvs.Candidate(), prepareBackends)
}
