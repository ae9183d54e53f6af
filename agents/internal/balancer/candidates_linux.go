package balancer

import (
	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/ipvs"
	"fairlead.dev/agents/internal/balancer/datapath/nftables"
	"fairlead.dev/agents/internal/balancer/datapath/tcx"
	"fairlead.dev/agents/internal/balancer/datapath/userspace"
	"fairlead.dev/agents/internal/balancer/datapath/xdp"
)

// Candidates are the engines that this agent has, in the order of engineNames.
// A new engine is one more line.
func Candidates() []datapath.Candidate {
	return []datapath.Candidate{
		tcx.Candidate,
		xdp.Candidate,
		ipvs.Candidate(),
		nftables.Candidate(),
		userspace.Candidate(),
	}
}
