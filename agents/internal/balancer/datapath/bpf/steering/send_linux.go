package steering

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/neighbour"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/state"
)

// sender sends packets that were kept.
type sender struct {
	maps      map[string]*ebpf.Map
	program   *ebpf.Program
	sent      uint32
	network   *neighbour.Network
	published *state.Published
}

// send sends a packet to the backend that the program chooses for it now.
func (s *sender) send(packet *program.KeptPacket) (err error) {
	for _, one := range split(packet.Frame[:packet.Length], int(packet.GsoSize)) {
		err = errors.Join(err, s.passOn(one, packet))
	}
	return err
}

// outerMost is more than the headers of any tunnel.
const outerMost = 128

// passOn runs the program on a frame. It sends nothing if the backend's link address is
// unknown: the kernel resolves it for a packet that it forwards itself, and the client
// sends this one again.
func (s *sender) passOn(frame []byte, packet *program.KeptPacket) error {
	run := &ebpf.RunOptions{Data: frame, DataOut: make([]byte, len(frame)+outerMost)}
	if s.program.Type() == ebpf.SchedCLS {
		run.Context = arrivedAt(packet.Interface)
	}
	verdict, err := s.program.Run(run)
	if err != nil {
		return fmt.Errorf("send a kept packet: %w", err)
	}
	if verdict != s.sent || len(run.DataOut) < linkBytes {
		return nil // held again by another reason, or dropped and counted
	}
	link, err := s.linkTo([linkBytes]byte(run.DataOut), packet)
	if err != nil || link == 0 {
		return err
	}
	return s.network.Send(link, run.DataOut)
}

const linkBytes = 6

// linkTo returns the interface by which the service's backends with that link address are
// reached; 0 when there is none.
func (s *sender) linkTo(to [linkBytes]byte, packet *program.KeptPacket) (int, error) {
	for _, b := range s.published.Names().ByKey[program.ServiceOf(packet.Key)] {
		var backend program.BackendEntry
		if err := s.maps[program.TcxMapBackends].Lookup(uint32(b.Slot), &backend); err != nil {
			return 0, fmt.Errorf("read the backend of a kept packet: %w", err)
		}
		if backend.Incarnation == b.Incarnation && backend.Flags&program.BackendResolved != 0 && backend.To == to {
			return int(backend.Interface), nil
		}
	}
	return 0, nil
}

// arrivedAt is the start of a __sk_buff with its interface. The rest is zero.
func arrivedAt(index uint32) []byte {
	const at = 40
	context := make([]byte, at+4)
	binary.NativeEndian.PutUint32(context[at:], index)
	return context
}
