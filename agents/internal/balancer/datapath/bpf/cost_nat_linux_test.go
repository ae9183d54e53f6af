package bpf

import (
	"net/netip"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// BenchmarkTranslation measures the program itself for a packet that it translates, in
// both directions: `go test -run - -bench Translation`. The kernel runs the same packet
// repeatedly, so both sides of the flow have the same addresses: the packet is rewritten
// to itself.
func BenchmarkTranslation(b *testing.B) {
	for _, family := range []struct {
		name         string
		own, service netip.Addr
	}{{"IPv4", ourIPv4, service4}, {"IPv6", ourIPv6, service6}} {
		b.Run("out/"+family.name, func(b *testing.B) {
			e := natLoop(b, family.own, family.service)
			runs(b, e, frame{to: ours, from: ours, source: family.own, dest: family.service, protocol: 6,
				payload: segment(6, netip.AddrPortFrom(family.own, 40000), netip.AddrPortFrom(family.service, 80), ack, "hello")})
		})
		b.Run("back/"+family.name, func(b *testing.B) {
			e := natLoop(b, family.own, family.service)
			runs(b, e, frame{to: ours, from: ours, source: family.service, dest: family.own, protocol: 6,
				payload: segment(6, netip.AddrPortFrom(family.service, 80), netip.AddrPortFrom(family.own, 40000), ack, "hello")})
		})
	}
}

// natLoop has one connection, from the replica's own address to a backend that has the
// service's.
func natLoop(b *testing.B, own, address netip.Addr) *Engine {
	b.Helper()
	e := openAt(b, newPlace(b), TCX, datapath.Options{Connections: 262144})
	service := newService(address, 80, datapath.TCP, datapath.NAT, only("a"))
	set(b, e, service)
	for slot, backend := range e.model.Slots {
		entry := backend.Entry
		if entry.Flags&program.BackendKeeps == 0 {
			continue
		}
		entry.Address, entry.Port, entry.To, entry.From = program.ToAddress(address), program.Wire(80), [6]uint8(ours), [6]uint8(ours)
		must(b, e.writeBackend(slot, entry))
		must(b, e.maps[program.TcxMapConnections].Put(program.ToFlowKey(service.Key, netip.AddrPortFrom(own, 40000)),
			program.FlowEntry{Incarnation: entry.Incarnation, Slot: slot, NatPort: program.Wire(40000), Seen: program.SeenNow()}))
		must(b, e.maps[program.TcxMapNatFlows].Put(program.NatKey{Backend: program.ToAddress(address), BackendPort: program.Wire(80), Port: program.Wire(40000), Protocol: uint8(datapath.TCP)},
			program.NatFlow{Client: program.ToAddress(own), Service: program.ToAddress(address), ClientPort: program.Wire(40000), ServicePort: program.Wire(80), Interface: entry.Interface,
				To: [6]uint8(ours), Seen: program.SeenNow(), Slot: slot, Incarnation: uint16(entry.Incarnation)}))
	}
	return e
}

func runs(b *testing.B, e *Engine, packet frame) {
	b.Helper()
	in := packet.bytes()
	verdict, out, err := e.program.Test(in)
	must(b, err)
	if verdict != verdictRedirect || string(out) != string(in) {
		b.Fatalf("verdict %d of\nin  %x\nout %x", verdict, in, out)
	}
	reportLoop(b, e, in)
}
