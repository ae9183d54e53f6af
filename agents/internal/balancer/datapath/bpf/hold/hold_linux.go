package hold

import (
	"fmt"
	"time"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/checksum"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/neighbour"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/state"
)

// HeldMost is the maximum age of a held first packet that is still sent. Its client
// retries after a second, maybe by way of another replica, and must not be answered
// twice.
const HeldMost = 500 * time.Millisecond

// Packets holds first packets until the peers have acknowledged where they go.
type Packets struct {
	maps      map[string]*ebpf.Map
	program   *ebpf.Program
	sent      uint32 // the program's verdict on a packet for a backend
	network   *neighbour.Network
	published *state.Published
	Held      chan datapath.Held
	unsent    unsent
}

// New returns one that holds nothing yet. sent is the verdict of the program on a packet
// for a backend.
func New(maps map[string]*ebpf.Map, program *ebpf.Program, sent uint32, network *neighbour.Network, published *state.Published) *Packets {
	return &Packets{maps: maps, program: program, sent: sent, network: network, published: published, Held: make(chan datapath.Held)}
}

// Hold holds first packets from now on, for span unless it is called again.
func (f *Packets) Hold(span time.Duration) error {
	if span > 0 && f.network.RawError != nil {
		return f.network.RawError
	}
	var until uint64
	if span > 0 {
		until = program.Monotonic() + uint64(span)
	}
	if err := f.maps[program.TcxMapWaitUntil].Put(uint32(0), until); err != nil {
		return fmt.Errorf("hold first packets: %w", err)
	}
	return nil
}

// Follow delivers the packets that the program holds, until its events or done are closed.
func (f *Packets) Follow(found *program.Events, done <-chan struct{}) {
	defer close(f.Held)
	for {
		packet := new(program.HeldPacket)
		if !found.Next(packet) {
			return
		}
		if isLate(packet) || packet.Length > uint16(len(packet.Frame)) {
			continue
		}
		b := f.published.Names().Keeper(program.FlowEntry{Slot: packet.Slot, Incarnation: packet.Incarnation})
		if b == nil {
			continue
		}
		select {
		case f.Held <- datapath.Held{Flow: b.Flow(packet.Key), Release: func() error { return f.release(packet) }}:
		case <-done:
			return
		}
	}
}

// release sends a first packet, or queues it for its backend's link address. It always
// records in the connection's entry that the flow was announced, even if it is too late
// to send the packet: the client retries, and whichever replica gets the retry uses the
// announced backend, unless a peer announced another one since.
func (f *Packets) release(packet *program.HeldPacket) error {
	late := isLate(packet)
	if late {
		learnt, found, err := program.FindFlow(f.maps, program.TcxMapLearnt, packet.Key)
		if err != nil || found && program.AgeOf(uint32(packet.At>>program.TcxLimitsSEEN_SHIFT), learnt.Seen) > 0 {
			return err
		}
	}
	open := program.FlowEntry{Incarnation: packet.Incarnation, Seen: program.SeenNow(), Slot: packet.Slot, Flags: uint8(program.TcxFlowFlagsMOVES)}
	if err := f.maps[program.TcxMapHalfOpen].Update(packet.Key, open, ebpf.UpdateAny); err != nil {
		return fmt.Errorf("store a half-open connection: %w", err)
	}
	if late {
		return nil
	}
	checksum.Finish(packet.Frame[:packet.Length])
	unresolved, err := f.passOn(packet)
	if err != nil || unresolved == (neighbour.Hop{}) {
		return err
	}
	return f.passOnLater(packet, unresolved)
}

func isLate(packet *program.HeldPacket) bool { return program.Monotonic()-packet.At > uint64(HeldMost) }

// passOn runs the program again on a first packet, which no longer needs to be held. If
// the link address is unknown, the program would leave that to the kernel, which doesn't
// resolve it in a test run: passOn returns that hop.
func (f *Packets) passOn(packet *program.HeldPacket) (unresolved neighbour.Hop, err error) {
	var backend program.BackendEntry
	if err := f.maps[program.TcxMapBackends].Lookup(uint32(packet.Slot), &backend); err != nil {
		return neighbour.Hop{}, fmt.Errorf("read the backend of a first packet: %w", err)
	}
	if backend.Incarnation != packet.Incarnation {
		return neighbour.Hop{}, nil // the backend is gone
	}
	if backend.Flags&program.BackendResolved == 0 {
		return state.HopOf(backend), nil
	}
	var settings program.Settings // not the network's index, which belongs to the owner of the engine
	if err := f.maps[program.TcxMapSettingsMap].Lookup(uint32(0), &settings); err != nil {
		return neighbour.Hop{}, fmt.Errorf("read the interface of a first packet: %w", err)
	}
	out, err := program.Forward(f.program, f.sent, packet.Frame[:packet.Length], settings.Interface)
	if err != nil {
		return neighbour.Hop{}, fmt.Errorf("pass a first packet on: %w", err)
	}
	if !program.IsTo(out, backend) {
		return neighbour.Hop{}, nil // its backend or the link address has just changed
	}
	return neighbour.Hop{}, f.network.Send(int(backend.Interface), out)
}
