package steering

import (
	"container/list"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// What is kept at most. Then the oldest connection loses its packets.
const (
	keptFlowsMost   = 4096
	keptPacketsMost = 1024 // of all connections, each of up to 16 KiB
	keptOfFlowMost  = 32
)

// Packet is a packet of a held connection, as it arrived.
type Packet struct {
	program.KeptPacket
	Frame []byte
}

// isLate is true for a packet that is older than any hold: its sender has sent it again.
func (p *Packet) isLate(now uint64) bool { return p.At+uint64(datapath.HoldMost) < now }

// kept are the packets of held connections.
type kept struct {
	byKey   map[program.FlowKey]*list.Element
	oldest  *list.List // of *heldFlow
	packets int
}

type heldFlow struct {
	key          program.FlowKey
	since, until uint64
	packets      []*Packet
}

func newKept() *kept { return &kept{byKey: map[program.FlowKey]*list.Element{}, oldest: list.New()} }

// expect makes room for a connection that is held since a time, or continues its hold.
func (k *kept) expect(key program.FlowKey, since, until uint64) *heldFlow {
	now := program.Monotonic()
	if found := k.byKey[key]; found != nil {
		if flow := found.Value.(*heldFlow); flow.until > now {
			flow.until = until
			return flow
		}
		k.drop(found) // its packets are of a hold that has ended
	}
	k.dropExpired(now)
	for k.oldest.Len() >= keptFlowsMost {
		k.drop(k.oldest.Front())
	}
	flow := &heldFlow{key: key, since: since, until: until}
	k.byKey[key] = k.oldest.PushBack(flow)
	return flow
}

func (k *kept) add(p *Packet, until uint64) {
	flow := k.expect(p.Key, p.At, until)
	if len(flow.packets) == keptOfFlowMost || p.At < flow.since { // too many, or of an earlier hold
		return // the client sends it again
	}
	for k.packets >= keptPacketsMost {
		first := k.oldest.Front()
		if first.Value.(*heldFlow) == flow {
			return
		}
		k.drop(first)
	}
	flow.packets = append(flow.packets, p)
	k.packets++
}

// take returns the packets of a connection, in the order in which they arrived. There are
// none if its hold has ended by itself.
func (k *kept) take(key program.FlowKey) []*Packet {
	found := k.byKey[key]
	if found == nil {
		return nil
	}
	k.drop(found)
	if flow := found.Value.(*heldFlow); flow.until > program.Monotonic() {
		return flow.packets
	}
	return nil
}

// dropExpired forgets the oldest connections that are no longer held.
func (k *kept) dropExpired(now uint64) {
	for first := k.oldest.Front(); first != nil && first.Value.(*heldFlow).until <= now; first = k.oldest.Front() {
		k.drop(first)
	}
}

func (k *kept) drop(one *list.Element) {
	flow := one.Value.(*heldFlow)
	k.packets -= len(flow.packets)
	k.oldest.Remove(one)
	delete(k.byKey, flow.key)
}
