package program

import (
	"encoding/binary"
	"fmt"
	"os"

	"github.com/cilium/ebpf"
)

// The kernel runs a program on a frame in a page of memory, and needs the rest of it itself:
// for headroom, and for what describes the packet.
const (
	runRoom   = 256 + 320
	outerMost = 128 // more than the headers of any tunnel
)

// RunFrameMost is the longest frame that Forward takes.
func RunFrameMost() int { return os.Getpagesize() - runRoom }

// Forward runs a program on a frame that arrived by an interface, and returns what it sends
// to a backend; nil if it sends nothing. sent is its verdict on a packet for a backend.
func Forward(program *ebpf.Program, sent uint32, frame []byte, arrived uint32) ([]byte, error) {
	if most := RunFrameMost(); len(frame) > most {
		return nil, fmt.Errorf("a frame of %d bytes is lost: the kernel runs a program on %d at most; its client sends it again", len(frame), most)
	}
	run := &ebpf.RunOptions{Data: frame, DataOut: make([]byte, len(frame)+outerMost)}
	if program.Type() == ebpf.SchedCLS {
		run.Context = arrivedAt(arrived)
	}
	verdict, err := program.Run(run)
	if err != nil || verdict != sent {
		return nil, err // held for another reason, or dropped and counted
	}
	return run.DataOut, nil
}

// arrivedAt is the start of a __sk_buff with its interface. The rest is zero.
func arrivedAt(index uint32) []byte {
	const at = 40
	context := make([]byte, at+4)
	binary.NativeEndian.PutUint32(context[at:], index)
	return context
}

// MarkedBy is the context in which a program runs on a frame with a mark.
func MarkedBy(mark uint32) []byte {
	const at = 8
	context := make([]byte, at+4)
	binary.NativeEndian.PutUint32(context[at:], mark)
	return context
}

// IsTo reports whether a frame has both link addresses of the path to a backend. It hasn't
// if the backend's is unknown: the kernel would resolve that for a packet that it forwards itself.
func IsTo(frame []byte, backend BackendEntry) bool {
	const size = len(backend.To)
	return len(frame) >= 2*size && backend.Flags&BackendResolved != 0 && [size]uint8(frame) == backend.To && [size]uint8(frame[size:]) == backend.From
}
