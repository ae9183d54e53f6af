package kernel

import (
	"errors"
	"fmt"
	"math"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/link"
	"golang.org/x/sys/unix"
)

// nowhere is an interface index that no host has: attaching to it fails at the very last check, so
// a kernel that gets this far supports everything before.
const nowhere = math.MaxInt32

const (
	loopback = 1 // its index in every network namespace
	xdpPass  = 2
)

const needsBPF = "Loading eBPF programs needs the capability CAP_BPF (or root)."

func probeBPF() Feature {
	program, err := load(ebpf.SocketFilter)
	if err != nil {
		return withoutProgram("bpf", err)
	}
	program.Close()
	return available("bpf")
}

func probeTCX() Feature {
	program, err := load(ebpf.SchedCLS)
	if err != nil {
		return withoutProgram("tcx", err)
	}
	defer program.Close()
	attached, err := link.AttachTCX(link.TCXOptions{Interface: nowhere, Program: program, Attach: ebpf.AttachTCXIngress})
	return attachment("tcx", "This kernel has no TCX, which came with Linux 6.6: the engine tcx attaches with clsact instead.", attached, err)
}

// probeXDP requests native mode on the loopback interface, which no kernel supports: "not
// supported" comes from the code that would have attached it, while a kernel without XDP links
// reports an invalid request.
func probeXDP() Feature {
	const name = "xdp"
	program, err := load(ebpf.XDP)
	if err != nil {
		return withoutProgram(name, err)
	}
	defer program.Close()
	attached, err := link.AttachXDP(link.XDPOptions{Interface: loopback, Program: program, Flags: link.XDPDriverMode})
	if errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.EEXIST) || errors.Is(err, unix.EBUSY) {
		return available(name)
	}
	return attachment(name, "This kernel can't attach XDP programs through links; that came with Linux 5.9.", attached, err)
}

// load loads the smallest possible program of a type. It returns XDP's code for pass, in case a
// probe ever stays attached.
func load(kind ebpf.ProgramType) (*ebpf.Program, error) {
	return ebpf.NewProgram(&ebpf.ProgramSpec{
		Name: "fairlead_probe", Type: kind, License: "GPL",
		Instructions: asm.Instructions{asm.Mov.Imm(asm.R0, xdpPass), asm.Return()},
	})
}

func withoutProgram(name string, err error) Feature {
	if denied(err) {
		return missing(name, needsBPF)
	}
	return missing(name, fmt.Sprintf("The kernel rejected an eBPF program: %v.", err))
}

func attachment(name, tooOld string, attached link.Link, err error) Feature {
	switch {
	case err == nil: // impossible, but a probe must not leave anything behind
		attached.Close()
		return available(name)
	case errors.Is(err, unix.ENODEV):
		return available(name)
	case denied(err):
		return missing(name, "Attaching eBPF programs to interfaces needs the capability CAP_NET_ADMIN (or root).")
	case errors.Is(err, ebpf.ErrNotSupported), errors.Is(err, unix.EINVAL):
		return missing(name, tooOld)
	}
	return missing(name, fmt.Sprintf("The kernel rejected the attachment of a program: %v.", err))
}
