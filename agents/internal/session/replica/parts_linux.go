package replica

import (
	"bytes"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/steering"
)

// followParts joins hellos, until the events are closed. What fails is lost, and its client
// sends it again.
func (r *Replica) followParts(events *program.Events) {
	for {
		var part program.SessionSessionPart
		frame, open := events.NextFrame(&part)
		if !open {
			return
		}
		if part.Packet.Length > uint32(len(frame)) {
			continue
		}
		packet, isFirst := packetOf(&part, frame), part.PartOf == program.SessionSessionPartOfFIRST_PART
		if !isFirst && r.carries(packet.Key) {
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
		r.place(p, whole)
	}
}

// carries reports whether the engine has a connection, so that its program doesn't ask again.
func (r *Replica) carries(key program.FlowKey) bool {
	var entry program.FlowEntry
	return r.joint.Maps[program.TcxMapConnections].Lookup(key, &entry) == nil
}

// packetOf returns the packet of a part, as the engine has packets.
func packetOf(part *program.SessionSessionPart, frame []byte) *steering.Packet {
	from := &part.Packet
	packet := &steering.Packet{Frame: bytes.Clone(frame[:from.Length])}
	packet.At, packet.Length, packet.Interface, packet.GsoSize = from.At, from.Length, from.Interface, from.GsoSize
	packet.Key = program.FlowKey{ClientPort: from.Key.ClientPort, ServicePort: from.Key.ServicePort, Protocol: from.Key.Protocol}
	packet.Key.Client.Word, packet.Key.Service.Word = from.Key.Client.Word, from.Key.Service.Word
	return packet
}

// place has the program place a connection by a hello that names the same session, and then
// sends the parts as they came.
func (r *Replica) place(p *partial, whole []byte) {
	first := p.parts[0].packet
	frame := first.Frame
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
