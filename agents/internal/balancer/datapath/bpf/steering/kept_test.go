package steering

import (
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

const forever = 1 << 63

func packetOf(client uint16) *Packet {
	return &Packet{KeptPacket: program.KeptPacket{Key: program.FlowKey{ClientPort: client}, At: program.Monotonic()}}
}

func TestTheOldestConnectionLosesItsPacketsFirst(t *testing.T) {
	k := newKept()
	flows := keptPacketsMost/4 + 1
	for client := range flows {
		for range 4 {
			k.add(packetOf(uint16(client)), forever)
		}
	}
	if k.packets != keptPacketsMost {
		t.Errorf("%d packets are kept", k.packets)
	}
	if first := k.take(packetOf(0).Key); len(first) != 0 {
		t.Errorf("%d packets of the oldest are kept", len(first))
	}
	if last := k.take(packetOf(uint16(flows - 1)).Key); len(last) != 4 {
		t.Errorf("%d packets of the youngest are kept", len(last))
	}
}

func TestOneConnectionCantUseAllRoom(t *testing.T) {
	k := newKept()
	k.add(packetOf(1), forever)
	for range 2 * keptPacketsMost {
		k.add(packetOf(2), forever)
	}
	if len(k.take(packetOf(1).Key)) != 1 || len(k.take(packetOf(2).Key)) != keptOfFlowMost {
		t.Error("a connection lost its packet to another, or that has too many")
	}
	if k.packets != 0 || k.oldest.Len() != 0 {
		t.Errorf("%d packets of %d connections are left", k.packets, k.oldest.Len())
	}
}

func TestConnectionsThatAreNoLongerHeldLoseTheirPackets(t *testing.T) {
	k := newKept()
	k.add(packetOf(1), 1)
	if late := k.take(packetOf(1).Key); len(late) != 0 {
		t.Errorf("%d packets are sent after their hold ended", len(late))
	}
	k.add(packetOf(1), 1)
	k.expect(packetOf(2).Key, program.Monotonic(), forever)
	if k.packets != 0 || k.oldest.Len() != 1 {
		t.Errorf("%d packets of %d connections are kept", k.packets, k.oldest.Len())
	}
	for client := range keptFlowsMost + 10 {
		k.expect(packetOf(uint16(client+10)).Key, program.Monotonic(), forever)
	}
	if k.oldest.Len() != keptFlowsMost {
		t.Errorf("%d connections are expected", k.oldest.Len())
	}
}

// A connection may be held again, also before the agent has read all packets of the time
// before.
func TestAPacketOfAnEarlierHoldIsNotKept(t *testing.T) {
	k := newKept()
	k.add(packetOf(1), 1)
	before := packetOf(1)
	k.expect(before.Key, program.Monotonic(), forever)
	during := packetOf(1)
	k.add(before, forever)
	k.add(during, forever)
	if all := k.take(during.Key); len(all) != 1 || all[0] != during {
		t.Errorf("%d packets are kept, want the one of the second hold", len(all))
	}
}

func TestAPacketThatIsOlderThanAnyHoldIsLate(t *testing.T) {
	p := packetOf(1)
	if p.isLate(p.At + uint64(datapath.HoldMost)) {
		t.Error("it is late while it may be held")
	}
	if !p.isLate(p.At + uint64(datapath.HoldMost+time.Second)) {
		t.Error("it is not late a second after that")
	}
}
