package bpf

import (
	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// Hook is where a program is attached: all that differs between the engines.
type Hook struct {
	Name       string
	Deliveries []datapath.Delivery
	Load       func() (*ebpf.CollectionSpec, error)
	Program    string // its name in what Load returns
	Attach     func(program *ebpf.Program, interfaceIndex int) (link.Link, error)

	// Interface returns where a link is attached; 0 when it is not.
	Interface func(*link.Info) int

	// Chain returns the programs at an interface, in the order in which they run; nil where
	// there is room for one only.
	Chain func(interfaceIndex int) ([]ebpf.ProgramID, error)

	Sent uint32 // the program's verdict on a packet for a backend

	// AgentResolves is set where the program can't let the kernel resolve a link address.
	AgentResolves bool
}
