package bpf

import (
	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/link"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// Need is what a program calls in the kernel, and the Linux that has it since.
type Need struct {
	Helper asm.BuiltinFunc
	Name   string
	Since  string
}

// Hook is where a program is attached: all that differs between the engines.
type Hook struct {
	Name       string
	Deliveries []datapath.Delivery
	Load       func() (*ebpf.CollectionSpec, error)
	Program    string // its name in what Load returns
	Type       ebpf.ProgramType
	Attach     func(program *ebpf.Program, interfaceIndex int) (link.Link, error)

	// Interface returns where a link is attached; 0 when it is not.
	Interface func(*link.Info) int

	// Chain returns the programs at an interface, in the order in which they run; nil where
	// there is room for one only.
	Chain func(interfaceIndex int) ([]ebpf.ProgramID, error)

	Sent uint32 // the program's verdict on a packet for a backend

	// IsFilter reports whether the program is a filter of clsact on this kernel; nil: never.
	// Attach and Interface aren't used then.
	IsFilter func() bool

	Needs []Need // that Preflight tests

	// AgentResolves is set where the program can't let the kernel resolve a link address.
	AgentResolves bool
}
