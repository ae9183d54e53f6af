package attach

import (
	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
)

// Point is where programs are attached.
type Point struct {
	Name   string
	Attach func(program *ebpf.Program, interfaceIndex int) (link.Link, error)

	// Interface returns where a link is attached; 0 when it is not.
	Interface func(*link.Info) int

	// Chain returns the programs at an interface, in the order in which they run; nil where
	// there is room for one only.
	Chain func(interfaceIndex int) ([]ebpf.ProgramID, error)

	// IsFilter reports whether a program is a filter of clsact on this kernel; nil: never.
	// Attach and Interface aren't used then.
	IsFilter func() bool
}

// TCX is the ingress of an interface.
var TCX = Point{
	Name:     "tcx",
	IsFilter: func() bool { return !hasTCX() },
	Attach:   attachTCX,
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

// XDP is the driver itself.
var XDP = Point{
	Name: "xdp",
	Attach: func(program *ebpf.Program, index int) (link.Link, error) {
		return link.AttachXDP(link.XDPOptions{Interface: index, Program: program, Flags: link.XDPDriverMode})
	},
	Interface: func(info *link.Info) int {
		if xdp := info.XDP(); xdp != nil {
			return int(xdp.Ifindex)
		}
		return 0
	},
}
