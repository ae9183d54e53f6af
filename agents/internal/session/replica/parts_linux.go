package replica

import (
	"bytes"
	"encoding/binary"
	"time"

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
		if _, ok := segmentOf(packet.Frame); !ok {
			continue
		}
		if isFirst {
			r.begins(packet.Key)
		}
		if r.join(time.Now(), packet, isFirst) {
			continue
		}
		if question := questionOf(&part, packet.Frame); question != nil {
			r.search(packet.Key, question)
		}
	}
}

// join joins a part to its hello, and places that if it is whole. It returns false if the first part no longer comes. A part
// that was on its way here while its connection was placed, as by the end of a search, is sent after the others.
func (r *Replica) join(now time.Time, packet *steering.Packet, isFirst bool) bool {
	r.partsMutex.Lock()
	defer r.partsMutex.Unlock()
	if at, ok := segmentOf(packet.Frame); ok && !isFirst && r.isPlaced(packet.Key, at.number) {
		_ = r.joint.Steering.Send(packet)
		return true
	}
	p := r.parts.add(now, packet, isFirst)
	switch {
	case p != nil && p.isLost(now):
		r.parts.take(p)
		return false
	case p == nil || !p.first || p.whole != nil:
		return true
	}
	stream := p.stream()
	whole, done := normal(stream)
	if !done {
		r.acknowledge(p, uint32(len(stream)))
		return true
	}
	if !r.searchID(p, whole, now) {
		r.finish(p, whole)
	}
	return true
}

// finish places a hello. The program may have placed what its client sent again.
func (r *Replica) finish(p *partial, whole []byte) {
	if r.isPlaced(p.key, p.start) || r.place(p, whole) {
		r.parts.take(p)
	}
}

// isPlaced reports whether the engine sends the segments from this number on to a backend, so that
// they don't come back as parts. It may still know an earlier connection on the same ports.
func (r *Replica) isPlaced(key program.FlowKey, number uint32) bool {
	var entry program.FlowEntry
	if r.joint.Maps[program.TcxMapConnections].Lookup(key, &entry) == nil && r.isKept(entry.Slot, entry.Incarnation) && !entry.FollowsSYN(number) {
		return true
	}
	var steered program.SteeredFlow
	return r.joint.Maps[program.TcxMapSteeredFlows].Lookup(key, &steered) == nil &&
		steered.Until > program.Monotonic() && r.isKept(steered.Slot, steered.Incarnation)
}

// isKept reports whether a backend keeps its connections.
func (r *Replica) isKept(slot uint16, incarnation uint32) bool {
	return r.hasFlags(slot, incarnation, program.BackendKeeps)
}

func (r *Replica) hasFlags(slot uint16, incarnation uint32, flags uint8) bool {
	var backend program.TcxBackend
	err := r.joint.Maps[program.TcxMapBackends].Lookup(uint32(slot), &backend)
	return err == nil && incarnation != 0 && backend.Incarnation == incarnation && backend.Flags&flags == flags
}

// questionOf returns the question that the program would have sent about a part.
func questionOf(part *program.SessionSessionPart, frame []byte) *program.SessionSessionQuestion {
	at, ok := segmentOf(frame)
	if !ok {
		return nil
	}
	question := &program.SessionSessionQuestion{Key: part.Packet.Key, Interface: part.Packet.Interface, Seq: at.number}
	copy(question.Link[:], frame)
	question.Ack = binary.BigEndian.Uint32(frame[at.tcp+8:])
	return question
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
// sends the parts as they came. If it has no backend for them, the next packet of their client is another
// attempt.
func (r *Replica) place(p *partial, whole []byte) bool {
	first := p.parts[0].packet
	frame := first.Frame
	at, ok := segmentOf(frame)
	if !ok {
		return false
	}
	out := make([]byte, len(frame)+len(whole)+tunnelMost)
	if _, err := r.program().Run(&ebpf.RunOptions{Data: withData(frame, at, whole), DataOut: out, Context: searched}); err != nil {
		return false
	}
	if !r.isPlaced(first.Key, at.number) {
		return false
	}
	if p.acknowledged {
		r.acknowledged.keep(p, r.placedUntil(first.Key), time.Now())
	}
	for _, one := range p.parts {
		_ = r.joint.Steering.Send(one.packet)
	}
	return true
}

const tunnelMost = 128 // bytes of headers

// searched has the program place a hello, whether or not its session id is known.
var searched = program.MarkedBy(uint32(program.SessionSessionLimitsSESSION_SEARCHED))

// acknowledge answers a hello whose client waits for that. From then on only this replica has that part, so
// nothing else is acknowledged.
func (r *Replica) acknowledge(p *partial, length uint32) {
	if !p.repeated || length == 0 {
		return
	}
	last := p.parts[len(p.parts)-1].packet
	frame := last.Frame[:last.Length]
	if at, ok := segmentOf(frame); ok {
		p.acknowledged = true
		_ = r.joint.Network.Send(int(last.Interface), acknowledgement(frame, at, p.start+length))
	}
}
