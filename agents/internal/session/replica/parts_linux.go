package replica

import (
	"container/list"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// followParts joins hellos, until the events are closed. What fails is lost, and its client
// sends it again.
func (r *Replica) followParts(events *program.Events) {
	placed := newRecent(placedMost)
	for {
		event := new(program.SessionSessionPart)
		if !events.Next(event) {
			return
		}
		packet := keptOf(event)
		if packet.Length > uint32(len(packet.Frame)) {
			continue
		}
		isFirst := event.PartOf == program.SessionSessionPartOfFIRST_PART
		if at, ok := segmentOf(packet.Frame[:packet.Length]); ok && !isFirst && placed.has(packet.Key, at.number) {
			_ = r.joint.Steering.Send(packet) // it was on its way here while its connection was placed
			continue
		}
		p := r.parts.add(packet, isFirst)
		if p == nil || !p.first {
			continue
		}
		stream := p.stream()
		whole, done := normal(stream)
		if !done {
			r.acknowledge(p, uint32(len(stream)))
			continue
		}
		r.parts.take(p)
		placed.add(p.key, p.start)
		r.place(p, whole)
	}
}

// keptOf returns the packet of a part, as the engine has packets.
func keptOf(event *program.SessionSessionPart) *program.KeptPacket {
	p := &event.Packet
	packet := &program.KeptPacket{Length: p.Length, Interface: p.Interface, GsoSize: p.GsoSize, Frame: p.Frame}
	packet.Key = program.FlowKey{
		ClientPort: p.Key.ClientPort, ServicePort: p.Key.ServicePort, Protocol: p.Key.Protocol,
	}
	packet.Key.Client.Word, packet.Key.Service.Word = p.Key.Client.Word, p.Key.Service.Word
	return packet
}

// place has the program place a connection by a hello that names the same session, and then
// sends the parts as they came.
func (r *Replica) place(p *partial, whole []byte) {
	first := p.parts[0].packet
	frame := first.Frame[:first.Length]
	at, ok := segmentOf(frame)
	if !ok {
		return
	}
	out := make([]byte, len(frame)+len(whole)+tunnelMost)
	if _, err := r.program().Run(&ebpf.RunOptions{Data: withData(frame, at, whole), DataOut: out}); err != nil {
		return
	}
	for _, one := range p.parts {
		_ = r.joint.Steering.Send(one.packet)
	}
}

const tunnelMost = 128 // bytes of headers

// acknowledge answers a hello whose client waits for that. From here on its connection hangs
// on this replica until it is placed, so nothing else is acknowledged.
func (r *Replica) acknowledge(p *partial, length uint32) {
	if !p.repeated || length == 0 {
		return
	}
	last := p.parts[len(p.parts)-1].packet
	frame := last.Frame[:last.Length]
	if at, ok := segmentOf(frame); ok {
		_ = r.joint.Network.Send(int(last.Interface), acknowledgement(frame, at, p.start+length))
	}
}

const placedMost = 4096

// recent are the hellos that were placed last.
type recent struct {
	most   int
	starts map[program.FlowKey]uint32
	oldest *list.List
}

func newRecent(most int) *recent {
	return &recent{most: most, starts: map[program.FlowKey]uint32{}, oldest: list.New()}
}

func (r *recent) add(key program.FlowKey, start uint32) {
	if _, known := r.starts[key]; !known {
		if r.oldest.Len() >= r.most {
			delete(r.starts, r.oldest.Remove(r.oldest.Front()).(program.FlowKey))
		}
		r.oldest.PushBack(key)
	}
	r.starts[key] = start
}

// has reports whether a number is of a placed connection, soon after its start.
func (r *recent) has(key program.FlowKey, number uint32) bool {
	start, known := r.starts[key]
	return known && number-start < 1<<20
}
