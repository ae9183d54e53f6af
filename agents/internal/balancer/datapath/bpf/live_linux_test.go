package bpf

import (
	"net/netip"
	"testing"
	"time"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/lifetime"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

func TestExpiredEntriesAreDeleted(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, tcpService(), newService(service4, 80, datapath.UDP, datapath.Direct))
	now := program.SeenNow()
	b := e.model.Services[0].Placed[0]
	for port, c := range []struct {
		protocol datapath.Protocol
		flags    program.TcxFlowFlags
		age      time.Duration
	}{
		{datapath.TCP, 0, 24 * time.Hour}, // stays: TCP may be silent for days
		{datapath.TCP, program.TcxFlowFlagsCLOSING, time.Second},
		{datapath.TCP, program.TcxFlowFlagsCLOSING, 100 * time.Second},
		{datapath.UDP, 0, 100 * time.Second},
		{datapath.UDP, 0, 16 * time.Minute},
	} {
		key := program.ToFlowKey(datapath.Key{Address: service4, Port: 80, Protocol: c.protocol}, netip.AddrPortFrom(client4, uint16(port)))
		must(t, e.maps[program.TcxMapConnections].Put(key, program.FlowEntry{
			Incarnation: b.Entry.Incarnation, Slot: b.Slot, Flags: uint8(c.flags), Seen: now - uint32(program.Ticks(c.age)),
		}))
		for _, name := range []string{program.TcxMapLearnt, program.TcxMapHalfOpen} {
			must(t, e.maps[name].Put(key, program.FlowEntry{Incarnation: b.Entry.Incarnation, Slot: b.Slot, Seen: now - uint32(program.Ticks(c.age))}))
		}
	}
	observed, err := e.Observe(t.Context())
	must(t, err)
	if n := entries(t, e, program.TcxMapConnections); n != 3 {
		t.Errorf("%d connections left, want 3", n)
	}
	if n := entries(t, e, program.TcxMapLearnt); n != 3 {
		t.Errorf("%d learnt ones left, want the 3 that were announced in the last 15 minutes", n)
	}
	if n := entries(t, e, program.TcxMapHalfOpen); n != 3 {
		t.Errorf("%d half-open ones left, want the 3 that began in the last 2 minutes", n)
	}
	var live uint64
	for _, s := range observed.Services {
		live += s.Counts.LiveConnections
	}
	if live != 0 {
		t.Errorf("%d live ones, but all are closing or silent for too long", live)
	}
}

// A client may reuse the same ports while a table is walked.
func TestAReusedEntryIsNotDeleted(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, tcpService())
	for port, backend := range map[uint16]string{1000: "a", 2000: "b"} {
		know(t, e, program.TcxMapConnections, clientFlow(port, backend, time.Hour), program.TcxFlowFlagsCLOSING)
	}
	read := program.Stale[program.FlowKey, program.FlowEntry]{Table: e.maps[program.TcxMapConnections]}
	must(t, program.InBatches(read.Table, read.Add))
	know(t, e, program.TcxMapConnections, clientFlow(1000, "b", 0), 0)
	must(t, read.DeleteUnchanged())
	must(t, read.DeleteUnchanged()) // gone already
	if n := entries(t, e, program.TcxMapConnections); n != 1 {
		t.Errorf("%d are left, want the one that was reused", n)
	}
	if got := send(t, e, from4(6, 1000, ack, "")); got != "b" {
		t.Errorf("it goes on at %q", got)
	}
}

// The clock advances while a table is walked.
func TestAnEntrySeenDuringTheWalkIsAlive(t *testing.T) {
	const now = 1 << 20
	long := uint32(program.Ticks(10 * time.Minute))
	for name, c := range map[string]struct {
		protocol datapath.Protocol
		flags    program.TcxFlowFlags
		seen     uint32
		live     bool
		over     bool
	}{
		"TCP, one tick ahead":          {datapath.TCP, 0, now + 1, true, false},
		"UDP, one tick ahead":          {datapath.UDP, 0, now + 1, true, false},
		"half-closed, one tick ahead":  {datapath.TCP, program.TcxFlowFlagsCLOSING, now + 1, false, false},
		"UDP, silent for long":         {datapath.UDP, 0, now - long, false, true},
		"half-closed, silent for long": {datapath.TCP, program.TcxFlowFlagsCLOSING, now - long, false, true},
	} {
		flow := program.FlowEntry{Flags: uint8(c.flags), Seen: c.seen}
		if got := lifetime.IsLive(program.FlowKey{Protocol: uint8(c.protocol)}, flow, now); got != c.live {
			t.Errorf("%s: alive %t", name, got)
		}
		if got := lifetime.IsOver(program.FlowKey{Protocol: uint8(c.protocol)}, flow, now); got != c.over {
			t.Errorf("%s: over %t", name, got)
		}
	}
}

func TestAFullSetIncludesEntriesSeenDuringTheWalk(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, filling())
	b := e.published.Names().ByKey[filling().Key]["b"]
	ahead := program.FlowEntry{Incarnation: b.Incarnation, Slot: b.Slot, Seen: program.SeenNow() + 2}
	for port, name := range map[uint16]string{1000: program.TcxMapConnections, 2000: program.TcxMapHalfOpen} {
		must(t, e.maps[name].Put(program.ToFlowKey(filling().Key, netip.AddrPortFrom(client4, port)), ahead))
	}
	must(t, e.maps[program.TcxMapLearnt].Put(program.ToFlowKey(filling().Key, netip.AddrPortFrom(client4, 3000)), ahead))
	if all, err := e.MisplacedNow(t.Context()); err != nil || len(all) != 2 {
		t.Errorf("misplaced %v, %v, want both", all, err)
	}
	if _, err := e.Observe(t.Context()); err != nil || entries(t, e, program.TcxMapLearnt) != 1 {
		t.Errorf("a flow that a peer has just announced is deleted (%v)", err)
	}
}

func TestPortsOfTranslatedFlowsRestAndAreReused(t *testing.T) {
	e := natEngine(t)
	put := func(before uint32, age time.Duration, state program.TcxNatState) {
		key := program.NatKey{Backend: program.ToAddress(backends4[0]), BackendPort: program.Wire(8080), Port: program.Wire(nextPort(t, e, before)), Protocol: uint8(datapath.TCP)}
		flow := program.NatFlow{Client: program.ToAddress(netip.MustParseAddr("203.0.113.9")), Service: program.ToAddress(service4), Seen: program.SeenNow() - uint32(program.Ticks(age))}
		flow.Side[1].State = uint8(state)
		must(t, e.maps[program.TcxMapNatFlows].Update(key, flow, ebpf.UpdateAny))
	}
	put(0, 100*time.Second, 0)                           // lives
	put(1, 0, program.TcxNatStateSENT_RST)               // has only just ended
	put(2, -100*time.Millisecond, 0)                     // lives, and was seen by a CPU whose clock is ahead
	put(3, 100*time.Second, program.TcxNatStateSENT_RST) // rested
	in, out := natPair(6, syn, client4, service4, ourIPv4, backends4[0], macA, 5000, nextPort(t, e, 3))
	exchange(t, e, "a new connection", in.bytes(), out.bytes())
}

func TestATableIsFullSlightlyBelowItsCapacity(t *testing.T) {
	for room, most := range map[int]int{10: 9, 64: 60, 1000: 950, 4_000_000: 3_800_000} {
		if isFull(most, room) || !isFull(most+1, room) {
			t.Errorf("a table of %d is full at %d: %t, at %d: %t", room, most, isFull(most, room), most+1, isFull(most+1, room))
		}
	}
}
