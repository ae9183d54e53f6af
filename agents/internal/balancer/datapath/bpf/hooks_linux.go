package bpf

import (
	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/link"

	"fairlead.dev/agents/internal/balancer/datapath"
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
	IsFilter:   func() bool { return !hasTCX() },
	Attach:     attachTCX,
	Interface: func(info *link.Info) int {
		if tcx := info.TCX(); tcx != nil {
			return int(tcx.Ifindex)
		}
		return 0
	},
	Chain: chainTCX,
}

// attachTCX attaches before all other programs: one that ends the chain, even by passing
// the packet, would keep it from ours. Ours leaves packets of others to the next program.
func attachTCX(program *ebpf.Program, index int) (link.Link, error) {
	return link.AttachTCX(link.TCXOptions{Interface: index, Program: program, Attach: ebpf.AttachTCXIngress, Anchor: link.Head()})
}

func chainTCX(index int) (chain []ebpf.ProgramID, err error) {
	found, err := link.QueryPrograms(link.QueryOptions{Target: index, Attach: ebpf.AttachTCXIngress})
	if err != nil {
		return nil, err
	}
	for _, program := range found.Programs {
		chain = append(chain, program.ID)
	}
	return chain, nil
}

// XDP is the driver itself: less work per packet, if the host allows it. Its agent
// resolves link addresses.
var XDP = Hook{
	Name:       "xdp",
	Deliveries: []datapath.Delivery{datapath.Direct, datapath.Tunnel, datapath.GUE},
	Load:       program.LoadXdp,
	Program:    program.XdpProgBalanceXdp,
	Type:       ebpf.XDP,
	Needs:      []Need{{asm.FnXdpLoadBytes, "bpf_xdp_load_bytes", "5.18"}},
	Sent:       3, // XDP_TX
	Attach: func(program *ebpf.Program, index int) (link.Link, error) {
		return link.AttachXDP(link.XDPOptions{Interface: index, Program: program, Flags: link.XDPDriverMode})
	},
	Interface: func(info *link.Info) int {
		if xdp := info.XDP(); xdp != nil {
			return int(xdp.Ifindex)
		}
		return 0
	},
	AgentResolves: true,
}
