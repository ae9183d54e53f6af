package ipvs_test

import (
	"testing"

	fairleadipvs "fairlead.dev/agents/internal/balancer/datapath/ipvs"
	"fairlead.dev/agents/internal/speaker/inward/inwardtest"
	"fairlead.dev/agents/internal/vmtest"
)

func TestWhatIsCountedOfAProbe(t *testing.T) {
	if !vmtest.Inside() {
		vmtest.Boot(t)
		return
	}
	inwardtest.Check(t, fairleadipvs.Candidate(), prepareBackends)
}
