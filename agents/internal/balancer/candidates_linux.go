package balancer

import (
	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/ipvs"
	"fairlead.dev/agents/internal/balancer/datapath/nftables"
	"fairlead.dev/agents/internal/balancer/datapath/tcx"
	"fairlead.dev/agents/internal/balancer/datapath/userspace"
	"fairlead.dev/agents/internal/balancer/datapath/xdp"
)

// Candidates returns the engines of this agent, in the order of engineNames. Add new
// engines here.
func Candidates() []datapath.Candidate {
	return []datapath.Candidate{
		tcx.Candidate,
		xdp.Candidate,
		ipvs.Candidate(),
		nftables.Candidate(),
		userspace.Candidate(),
	}
}
