package bench

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/link"

	"fairlead.dev/agents/internal/balancer/datapath/xdp"
)

// hops are the lower bound for any balancer: stateless programs that forward every packet to a backend chosen
// by one bit of the client's port. They cost only the path through one more host.
var hops = []subject{
	{name: "tcx hop", kind: Hop, workloads: Workloads, start: hop("tcx", &ebpf.ProgramSpec{Type: ebpf.SchedCLS, AttachType: ebpf.AttachTCXIngress}, inSkb)},
	{name: "xdp hop", kind: Hop, workloads: Workloads, start: hop(xdp.Candidate.Name, &ebpf.ProgramSpec{Type: ebpf.XDP}, inXDP)},
}

// hook is where a program finds its packet, and how it returns its verdict.
type hook struct {
	data, end int16
	pass      int32
	send      func(interfaceIndex int) asm.Instructions
}

var (
	inSkb = hook{data: 76, end: 80, pass: -1, send: func(index int) asm.Instructions { // TCX_NEXT
		return asm.Instructions{asm.Mov.Imm(asm.R1, int32(index)), asm.Mov.Imm(asm.R2, 0), asm.FnRedirect.Call(), asm.Return()}
	}}
	inXDP = hook{data: 0, end: 4, pass: 2, send: func(int) asm.Instructions { // XDP_PASS, XDP_TX
		return asm.Instructions{asm.Mov.Imm(asm.R0, 3), asm.Return()}
	}}
)

// hop attaches a program to a pod's interface.
func hop(engine string, program *ebpf.ProgramSpec, at hook) func(context.Context, *pod) (func() error, error) {
	return func(_ context.Context, p *pod) (func() error, error) {
		undo, err := prepareHost(engine, p)
		if err != nil {
			return nil, err
		}
		var attached link.Link
		err = p.space.Do(func() (err error) {
			attached, err = attachHop(p, program, at)
			return err
		})
		if err != nil {
			return nil, errors.Join(err, undo())
		}
		return func() error { return errors.Join(attached.Close(), undo()) }, nil
	}
}

func attachHop(p *pod, spec *ebpf.ProgramSpec, at hook) (link.Link, error) {
	found, err := p.space.Links().LinkByName(netInterface)
	if err != nil {
		return nil, err
	}
	index := found.Attrs().Index
	spec = spec.Copy()
	spec.Name, spec.License, spec.Instructions = "hop", "GPL", passOn(p, at, index)
	program, err := ebpf.NewProgram(spec)
	if err != nil {
		return nil, fmt.Errorf("load a hop: %w", err)
	}
	defer program.Close() // the link keeps a reference
	if spec.Type == ebpf.XDP {
		return link.AttachXDP(link.XDPOptions{Program: program, Interface: index, Flags: link.XDPDriverMode})
	}
	return link.AttachTCX(link.TCXOptions{Program: program, Interface: index, Attach: spec.AttachType})
}

// passOn forwards IPv4 packets for the service's address to a backend, and leaves all others to the kernel.
func passOn(p *pod, at hook, index int) asm.Instructions {
	const (
		kind, destination, lowPort = 12, 30, 35 // of the frame, without IP options
		secondBit                  = 2          // the first bit shows that a client's kernel chose the port
	)
	service, ethernet := p.service.As4(), []byte{8, 0}
	from := mac(p.host)
	program := asm.Instructions{
		asm.LoadMem(asm.R2, asm.R1, at.data, asm.Word),
		asm.LoadMem(asm.R3, asm.R1, at.end, asm.Word),
		asm.Mov.Reg(asm.R4, asm.R2),
		asm.Add.Imm(asm.R4, lowPort+1),
		asm.JGT.Reg(asm.R4, asm.R3, "pass"),
		asm.LoadMem(asm.R4, asm.R2, kind, asm.Half),
		asm.JNE.Imm32(asm.R4, int32(binary.NativeEndian.Uint16(ethernet)), "pass"),
		asm.LoadMem(asm.R4, asm.R2, destination, asm.Word),
		asm.JNE.Imm32(asm.R4, int32(binary.NativeEndian.Uint32(service[:])), "pass"),
		asm.LoadMem(asm.R5, asm.R2, lowPort, asm.Byte),
		asm.And.Imm(asm.R5, secondBit),
		asm.Mov.Imm(asm.R4, lastHalf(mac(backends[0].host))),
		asm.JEq.Imm(asm.R5, 0, "send"),
		asm.Mov.Imm(asm.R4, lastHalf(mac(backends[1].host))),
		asm.StoreImm(asm.R2, 0, firstWord(mac(backends[0].host)), asm.Word).WithSymbol("send"), // the same of all
		asm.StoreMem(asm.R2, 4, asm.R4, asm.Half),
		asm.StoreImm(asm.R2, 6, firstWord(from), asm.Word),
		asm.StoreImm(asm.R2, 10, int64(lastHalf(from)), asm.Half),
	}
	program = append(program, at.send(index)...)
	return append(program, asm.Mov.Imm(asm.R0, at.pass).WithSymbol("pass"), asm.Return())
}

func firstWord(mac []byte) int64 { return int64(binary.NativeEndian.Uint32(mac)) }

func lastHalf(mac []byte) int32 { return int32(binary.NativeEndian.Uint16(mac[4:])) }
