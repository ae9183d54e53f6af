package bpf

import (
	"testing"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// BenchmarkPacket measures the program itself for a packet of a known flow, in the
// kernel's repeated test run: `go test -run - -bench Packet`.
func BenchmarkPacket(b *testing.B) {
	for _, c := range []struct {
		name     string
		hook     Hook
		delivery datapath.Delivery
		packet   frame
	}{
		{"tcx/direct/IPv4", TCX, datapath.Direct, from4(6, 5000, ack, "hello")},
		{"tcx/direct/IPv6", TCX, datapath.Direct, from6(6, 5000, ack, "hello")},
		{"tcx/direct/SYN", TCX, datapath.Direct, from4(6, 5001, syn, "")},
		{"xdp/direct/IPv4", XDP, datapath.Direct, from4(6, 5000, ack, "hello")},
		{"xdp/direct/IPv6", XDP, datapath.Direct, from6(6, 5000, ack, "hello")},
		{"xdp/direct/SYN", XDP, datapath.Direct, from4(6, 5001, syn, "")},
	} {
		b.Run(c.name, func(b *testing.B) {
			e := openAt(b, newPlace(b), c.hook, datapath.Options{Connections: 262144})
			set(b, e, newService(service4, 80, datapath.TCP, c.delivery), newService(service6, 80, datapath.TCP, c.delivery))
			// A forwarded frame is no longer addressed to us: it gets the interface's own
			// address as destination.
			settle(b, e)
			packet := c.packet.bytes()
			if _, _, err := e.program.Test(packet); err != nil {
				b.Fatal(err)
			}
			reportLoop(b, e, packet)
		})
	}
}

// reportLoop runs a packet in a loop, and next to it an empty program in the same loop.
func reportLoop(b *testing.B, e *Engine, packet []byte) {
	b.Helper()
	info, err := e.program.Info()
	must(b, err)
	empty, err := ebpf.NewProgram(&ebpf.ProgramSpec{Type: info.Type, License: "GPL", Instructions: asm.Instructions{asm.Mov.Imm(asm.R0, 2), asm.Return()}})
	must(b, err)
	defer empty.Close()
	_, floor, err := empty.Benchmark(packet, b.N, nil)
	must(b, err)
	b.ResetTimer()
	_, took, err := e.program.Benchmark(packet, b.N, b.ResetTimer)
	must(b, err)
	b.ReportMetric(float64(took.Nanoseconds()), "ns/packet")
	b.ReportMetric(float64(floor.Nanoseconds()), "ns/empty")
}

// settle sets the backends' link address to our own, so that a forwarded packet can be
// the next input.
func settle(b *testing.B, e *Engine) {
	for slot, backend := range e.model.Slots {
		entry := backend.Entry
		entry.To = [6]uint8(ours)
		must(b, e.writeBackend(slot, entry))
	}
}
