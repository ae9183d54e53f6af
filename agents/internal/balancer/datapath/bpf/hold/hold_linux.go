package bpf

import (
	"bytes"
	"fmt"
	"time"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// heldMost is the maximum age of a held first packet that is still sent. Its client
// retries after a second, maybe by way of another replica, and must not be answered
// twice.
const heldMost = 500 * time.Millisecond

// first holds first packets until the peers have acknowledged where they go.
type first struct {
	maps      map[string]*ebpf.Map
	program   *ebpf.Program
	sent      uint32 // the program's verdict on a packet for a backend
	network   *network
	published *published
	held      chan datapath.Held
	unsent    unsent
}

// newFirst returns one that holds nothing yet. sent is the verdict of the program on a packet
// for a backend.
func newFirst(maps map[string]*ebpf.Map, program *ebpf.Program, sent uint32, network *network, published *published) *first {
	return &first{maps: maps, program: program, sent: sent, network: network, published: published, held: make(chan datapath.Held)}
}

// hold holds first packets from now on, for span unless it is called again.
func (f *first) hold(span time.Duration) error {
	if span > 0 && f.network.rawError != nil {
		return f.network.rawError
	}
	var until uint64
	if span > 0 {
		until = monotonic() + uint64(span)
	}
	if err := f.maps[TcxMapWaitUntil].Put(uint32(0), until); err != nil {
		return fmt.Errorf("hold first packets: %w", err)
	}
	return nil
}

// follow delivers the packets that the program holds, until its events or done are closed.
func (f *first) follow(found *events, done <-chan struct{}) {
	defer close(f.held)
	for {
		packet := new(heldPacket)
		if !found.next(packet) {
			return
		}
		if isLate(packet) || packet.Length > uint16(len(packet.Frame)) {
			continue
		}
		b := f.published.names().keeper(flowEntry{Slot: packet.Slot, Incarnation: packet.Incarnation})
		if b == nil {
			continue
		}
		select {
		case f.held <- datapath.Held{Flow: b.flow(packet.Key), Release: func() error { return f.release(packet) }}:
		case <-done:
			return
		}
	}
}

// release sends a first packet, or queues it for its backend's link address. It always
// records in the connection's entry that the flow was announced, even if it is too late
// to send the packet: the client retries, and whichever replica gets the retry uses the
// announced backend, unless a peer announced another one since.
func (f *first) release(packet *heldPacket) error {
	late := isLate(packet)
	if late {
		learnt, found, err := findFlow(f.maps, TcxMapLearnt, packet.Key)
		if err != nil || found && ageOf(uint32(packet.At>>TcxLimitsSEEN_SHIFT), learnt.Seen) > 0 {
			return err
		}
	}
	open := flowEntry{Incarnation: packet.Incarnation, Seen: seenNow(), Slot: packet.Slot, Flags: uint8(TcxFlowFlagsMOVES)}
	if err := f.maps[TcxMapHalfOpen].Update(packet.Key, open, ebpf.UpdateAny); err != nil {
		return fmt.Errorf("store a half-open connection: %w", err)
	}
	if late {
		return nil
	}
	finishChecksum(packet.Frame[:packet.Length])
	unresolved, err := f.passOn(packet)
	if err != nil || unresolved == (hop{}) {
		return err
	}
	return f.passOnLater(packet, unresolved)
}

func isLate(packet *heldPacket) bool { return monotonic()-packet.At > uint64(heldMost) }

// passOn runs the program again on a first packet, which no longer needs to be held. If
// the link address is unknown, the program would leave that to the kernel, which doesn't
// resolve it in a test run: passOn returns that hop.
func (f *first) passOn(packet *heldPacket) (unresolved hop, err error) {
	var backend backendEntry
	if err := f.maps[TcxMapBackends].Lookup(uint32(packet.Slot), &backend); err != nil {
		return hop{}, fmt.Errorf("read the backend of a first packet: %w", err)
	}
	if backend.Incarnation != packet.Incarnation {
		return hop{}, nil // the backend is gone
	}
	if backend.Flags&resolved == 0 {
		return hopOf(backend), nil
	}
	verdict, out, err := f.program.Test(packet.Frame[:packet.Length])
	if err != nil {
		return hop{}, fmt.Errorf("pass a first packet on: %w", err)
	}
	if verdict != f.sent || !bytes.HasPrefix(out, backend.To[:]) {
		return hop{}, nil // its backend or the link address has just changed
	}
	return hop{}, f.network.send(int(backend.Interface), out)
}
