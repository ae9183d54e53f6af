package bpf

import (
	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/attach"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// TCX is the ingress of an interface, where packets are still as large as the sender made
// them, and which needs nothing from a pod's host.
var TCX = Hook{
	Name:       "tcx",
	Deliveries: []datapath.Delivery{datapath.Direct, datapath.Tunnel, datapath.GUE, datapath.NAT},
	Load:       program.LoadTcx,
	Program:    program.TcxProgBalance,
	Type:       ebpf.SchedCLS,
	Sent:       7, // TCX_REDIRECT
	Sessions:   true,
	Point:      attach.TCX,
}

// XDP is the driver itself: less work per packet, if the host allows it. Its agent
// resolves link addresses.
var XDP = Hook{
	Name:          "xdp",
	Deliveries:    []datapath.Delivery{datapath.Direct, datapath.Tunnel, datapath.GUE},
	Load:          program.LoadXdp,
	Program:       program.XdpProgBalanceXdp,
	Type:          ebpf.XDP,
	Needs:         []Need{{asm.FnXdpLoadBytes, "bpf_xdp_load_bytes", "5.18"}},
	Sent:          3, // XDP_TX
	Point:         attach.XDP,
	AgentResolves: true,
}

// WithClsact returns the hook as it is on a kernel without TCX.
func WithClsact(hook Hook) Hook {
	hook.Point.IsFilter = func() bool { return true }
	return hook
}
