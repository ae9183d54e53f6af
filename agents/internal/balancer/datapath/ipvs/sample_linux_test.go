package ipvs_test

import (
	"testing"

	"fairlead.dev/agents/internal/balancer/balancertest"
	fairleadipvs "fairlead.dev/agents/internal/balancer/datapath/ipvs"
	"fairlead.dev/agents/internal/vmtest"
)

// TestClientsAreSampled is the balancer's test of that name.
func TestClientsAreSampled(t *testing.T) {
	if !vmtest.Inside() {
		vmtest.Boot(t)
		return
	}
	balancertest.SamplesClients(t, fairleadipvs.Candidate(), prepareBackends)
}
