package steering

import (
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

// send sends a packet to the backend that the program chooses for it now. A late one is
// dropped: its client has sent it again, or has given up.
func (s *sender) send(p *Packet) (err error) {
	if p.isLate(program.Monotonic()) {
		return nil
	}
	for _, one := range split(p.Frame, int(p.GsoSize)) {
		err = errors.Join(err, s.passOn(one, p))
	}
	return err
}

// passOn runs the program on a frame. It sends nothing if the backend's link address is
// unknown: the client sends this one again, and the kernel resolves it then.
func (s *sender) passOn(frame []byte, p *Packet) error {
	out, err := program.Forward(s.program, s.sent, frame, p.Interface)
	if err != nil {
		return fmt.Errorf("send a kept packet: %w", err)
	}
	if out == nil {
		return nil
	}
	link, err := s.linkOf(out, p)
	if err != nil || link == 0 {
		return err
	}
	return s.network.Send(link, out)
}

// linkOf returns the interface by which the service's backends with a frame's link addresses
// are reached; 0 when there is none.
func (s *sender) linkOf(frame []byte, p *Packet) (int, error) {
	for _, b := range s.published.Names().ByKey[program.ServiceOf(p.Key)] {
		var backend program.BackendEntry
		if err := s.maps[program.TcxMapBackends].Lookup(uint32(b.Slot), &backend); err != nil {
			return 0, fmt.Errorf("read the backend of a kept packet: %w", err)
		}
		if backend.Incarnation == b.Incarnation && program.IsTo(frame, backend) {
			return int(backend.Interface), nil
		}
	}
	return 0, nil
}
