package inward

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// tap reads replies to a flow from an interface, including those that a data path forwards out of
// it.
type tap struct {
	file  *os.File
	began time.Time
}

func openTap(link int, f flow) (*tap, error) {
	socket, err := unix.Socket(unix.AF_PACKET, unix.SOCK_DGRAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	t := &tap{file: os.NewFile(uintptr(socket), "tap"), began: time.Now()}
	// The filter is attached first: packets that arrive before it is bound could be anything.
	program, err := filter(f)
	if err == nil {
		err = unix.SetsockoptSockFprog(socket, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, program)
	}
	if err == nil {
		const everyProtocol = uint16(unix.ETH_P_ALL)<<8 | uint16(unix.ETH_P_ALL)>>8 // network order
		err = unix.Bind(socket, &unix.SockaddrLinklayer{Protocol: everyProtocol, Ifindex: link})
	}
	if err != nil {
		return nil, errors.Join(err, t.file.Close())
	}
	return t, nil
}

func (t *tap) close() { _ = t.file.Close() }

// filter passes only packets to the flow's port, of either family: the interface may carry much
// other traffic.
func filter(f flow) (*unix.SockFprog, error) {
	const accept, refuse = 1 << 16, 0
	raw, err := bpf.Assemble([]bpf.Instruction{
		bpf.LoadAbsolute{Off: 0, Size: 1},
		bpf.ALUOpConstant{Op: bpf.ALUOpShiftRight, Val: 4},
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: 4, SkipTrue: 5},
		bpf.LoadAbsolute{Off: 9, Size: 1},
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: uint32(f.protocol), SkipTrue: 8},
		bpf.LoadMemShift{Off: 0},
		bpf.LoadIndirect{Off: 2, Size: 2},
		bpf.Jump{Skip: 3},
		bpf.LoadAbsolute{Off: 6, Size: 1},
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: uint32(f.protocol), SkipTrue: 3},
		bpf.LoadAbsolute{Off: 42, Size: 2},
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: uint32(f.from.Port()), SkipTrue: 1},
		bpf.RetConstant{Val: accept},
		bpf.RetConstant{Val: refuse},
	})
	if err != nil {
		return nil, err
	}
	instructions := make([]unix.SockFilter, len(raw))
	for i, one := range raw {
		instructions[i] = unix.SockFilter{Code: one.Op, Jt: one.Jt, Jf: one.Jf, K: one.K}
	}
	return &unix.SockFprog{Len: uint16(len(instructions)), Filter: &instructions[0]}, nil
}

// read waits for the reply.
func (t *tap) read(ctx context.Context, f flow) (answer, error) {
	if err := t.file.SetReadDeadline(deadline(ctx)); err != nil {
		return answer{}, err
	}
	buffer := make([]byte, 1<<16)
	for {
		n, err := t.file.Read(buffer)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return answer{}, fmt.Errorf("no answer within %s", time.Since(t.began).Round(time.Millisecond))
		}
		if err != nil {
			return answer{}, err
		}
		if a, is := f.answerIn(buffer[:n]); is {
			return a, nil
		}
	}
}
