package ipvs_test

import (
	"testing"

	fairleadipvs "fairlead.dev/agents/internal/balancer/datapath/ipvs"
	"fairlead.dev/agents/internal/speaker/inward/inwardtest"
)

func TestWhatIsCountedOfAProbe(t *testing.T) {
	if !inside() {
		bootForTest(t)
		return
	}
	inwardtest.Check(t, fairleadipvs.Candidate(), prepareBackends)
}
