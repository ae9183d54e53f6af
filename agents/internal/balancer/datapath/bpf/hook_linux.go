package bpf

import (
	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/attach"
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
	Point      attach.Point

	Sent uint32 // the program's verdict on a packet for a backend

	Needs []Need // that Preflight tests

	// Sessions is set where packets can go on to the programs that choose by TLS session and by cost.
	Sessions bool

	// AgentResolves is set where the program can't let the kernel resolve a link address.
	AgentResolves bool
}
