package ipvs_test

import (
	"testing"

	"fairlead.dev/agents/internal/balancer/balancertest"
	fairleadipvs "fairlead.dev/agents/internal/balancer/datapath/ipvs"
	"fairlead.dev/agents/internal/vmtest"
)

// TestADeadBackendGetsNoConnectionATenthOfASecondAfterItIsKnown is the balancer's test of
// that name.
func TestADeadBackendGetsNoConnectionATenthOfASecondAfterItIsKnown(t *testing.T) {
	if !vmtest.Inside() {
		vmtest.Boot(t)
		return
	}
	balancertest.Follows(t, fairleadipvs.Candidate(), prepareBackends)
}
