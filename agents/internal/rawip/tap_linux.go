package rawip

import (
	"errors"
	"os"
	"time"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// EveryProtocol taps an interface before any data path, which takes time of each of its packets, and
// also the packets that leave by it. An EtherType such as
// [unix.ETH_P_IP] only taps what is left after a data path has forwarded its packets.
const EveryProtocol = unix.ETH_P_ALL

// Tap reads packets to ports of this host, whether the kernel would accept them or not.
type Tap struct {
	file   *os.File
	buffer []byte
}

// OpenTap listens on an interface, or with 0 on all, for packets to a range of ports.
func OpenTap(link int, etherType, firstPort, lastPort uint16) (*Tap, error) {
	socket, err := unix.Socket(unix.AF_PACKET, unix.SOCK_DGRAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	t := &Tap{file: os.NewFile(uintptr(socket), "tap"), buffer: make([]byte, 1<<16)}
	// The filter is attached first: packets that arrive before it is bound could be anything.
	program, err := filter(firstPort, lastPort)
	if err == nil {
		err = unix.SetsockoptSockFprog(socket, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, program)
	}
	if err == nil {
		inNetworkOrder := etherType<<8 | etherType>>8
		err = unix.Bind(socket, &unix.SockaddrLinklayer{Protocol: inNetworkOrder, Ifindex: link})
	}
	if err != nil {
		return nil, errors.Join(err, t.file.Close())
	}
	return t, nil
}

// Close ends a Read that waits.
func (t *Tap) Close() error { return t.file.Close() }

// SetReadDeadline is that of a file.
func (t *Tap) SetReadDeadline(at time.Time) error { return t.file.SetReadDeadline(at) }

// filter passes only packets of TCP and UDP to these ports, of either family: the interface may
// carry much other traffic.
func filter(first, last uint16) (*unix.SockFprog, error) {
	const accept, refuse = 1 << 16, 0
	return assemble([]bpf.Instruction{
		bpf.LoadAbsolute{Off: 0, Size: 1},
		bpf.ALUOpConstant{Op: bpf.ALUOpShiftRight, Val: 4},
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: 4, SkipTrue: 6},
		bpf.LoadAbsolute{Off: 9, Size: 1},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: TCP, SkipTrue: 1},
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: UDP, SkipTrue: 10},
		bpf.LoadMemShift{Off: 0},
		bpf.LoadIndirect{Off: 2, Size: 2},
		bpf.Jump{Skip: 4},
		bpf.LoadAbsolute{Off: 6, Size: 1},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: TCP, SkipTrue: 1},
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: UDP, SkipTrue: 4},
		bpf.LoadAbsolute{Off: 42, Size: 2},
		bpf.JumpIf{Cond: bpf.JumpLessThan, Val: uint32(first), SkipTrue: 2},
		bpf.JumpIf{Cond: bpf.JumpGreaterThan, Val: uint32(last), SkipTrue: 1},
		bpf.RetConstant{Val: accept},
		bpf.RetConstant{Val: refuse},
	})
}

func assemble(program []bpf.Instruction) (*unix.SockFprog, error) {
	raw, err := bpf.Assemble(program)
	if err != nil {
		return nil, err
	}
	instructions := make([]unix.SockFilter, len(raw))
	for i, one := range raw {
		instructions[i] = unix.SockFilter{Code: one.Op, Jt: one.Jt, Jf: one.Jf, K: one.K}
	}
	return &unix.SockFprog{Len: uint16(len(instructions)), Filter: &instructions[0]}, nil
}

// Read waits for the next packet that may be an answer. Its payload is valid until the next Read.
func (t *Tap) Read() (Answer, error) {
	for {
		n, err := t.file.Read(t.buffer)
		if err != nil {
			return Answer{}, err
		}
		if a, is := Parse(t.buffer[:n]); is {
			return a, nil
		}
	}
}
