package inward_test

import (
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	"fairlead.dev/agents/internal/balancer/datapath/nftables"
	"fairlead.dev/agents/internal/balancer/datapath/tcx"
	"fairlead.dev/agents/internal/balancer/datapath/userspace"
	"fairlead.dev/agents/internal/balancer/datapath/xdp"
	"fairlead.dev/agents/internal/speaker/inward/inwardtest"
)

// The test of the same for IPVS is in its package, because it needs another kernel.
func TestWhatEnginesCountOfAProbe(t *testing.T) {
	for _, one := range []struct {
		candidate datapath.Candidate
		prepare   func(*testing.T, *datapathtest.Network)
	}{{tcx.Candidate, nil}, {xdp.Candidate, prepare}, {nftables.Candidate(), nil}, {userspace.Candidate(), nil}} {
		t.Run(one.candidate.Name, func(t *testing.T) { inwardtest.Check(t, one.candidate, one.prepare) })
	}
}
