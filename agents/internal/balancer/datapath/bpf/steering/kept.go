package steering

import (
	"container/list"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// What is kept at most. Then the oldest connection loses its packets.
const (
	keptFlowsMost   = 4096
	keptPacketsMost = 1024 // of all connections, each of up to 16 KiB
	keptOfFlowMost  = 32
)

// kept are the packets of held connections.
type kept struct {
	byKey   map[program.FlowKey]*list.Element
	oldest  *list.List // of *heldFlow
	packets int
}

type heldFlow struct {
	key     program.FlowKey
	until   uint64
	packets []*program.KeptPacket
}

func newKept() *kept { return &kept{byKey: map[program.FlowKey]*list.Element{}, oldest: list.New()} }

// expect makes room for a connection.
func (k *kept) expect(key program.FlowKey, until uint64) *heldFlow {
	if found := k.byKey[key]; found != nil {
		flow := found.Value.(*heldFlow)
		flow.until = until
		return flow
	}
	k.dropExpired(program.Monotonic())
	for k.oldest.Len() >= keptFlowsMost {
		k.drop(k.oldest.Front())
	}
	flow := &heldFlow{key: key, until: until}
	k.byKey[key] = k.oldest.PushBack(flow)
	return flow
}

func (k *kept) add(packet *program.KeptPacket, until uint64) {
	flow := k.expect(packet.Key, until)
	if len(flow.packets) == keptOfFlowMost {
		return // the client sends it again
	}
	for k.packets >= keptPacketsMost {
		first := k.oldest.Front()
		if first.Value.(*heldFlow) == flow {
			return
		}
		k.drop(first)
	}
	flow.packets = append(flow.packets, packet)
	k.packets++
}

// take returns the packets of a connection, in the order in which they arrived.
func (k *kept) take(key program.FlowKey) []*program.KeptPacket {
	found := k.byKey[key]
	if found == nil {
		return nil
	}
	k.drop(found)
	return found.Value.(*heldFlow).packets
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
