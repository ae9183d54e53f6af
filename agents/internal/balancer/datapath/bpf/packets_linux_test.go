package bpf

import (
	"bytes"
	"encoding/hex"
	"net/netip"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
)

const (
	verdictNext     = 0xffffffff // TCX_NEXT
	verdictDrop     = 2
	verdictRedirect = 7
	xdpDrop         = 1
	xdpPass         = 2
	xdpTX           = 3
)

// A client's packets: TCP and UDP in both families.
func from4(protocol byte, port uint16, flags byte, data string) frame {
	return frame{to: ours, from: router, source: client4, dest: service4, protocol: protocol,
		payload: segment(protocol, netip.AddrPortFrom(client4, port), netip.AddrPortFrom(service4, 80), flags, data)}
}

func from6(protocol byte, port uint16, flags byte, data string) frame {
	return frame{to: ours, from: router, source: client6, dest: service6, protocol: protocol,
		payload: segment(protocol, netip.AddrPortFrom(client6, port), netip.AddrPortFrom(service6, 80), flags, data)}
}

func with(f frame, change func(*frame)) frame { change(&f); return f }

// relinked returns the same packet between other stations.
func relinked(packet []byte, to, from []byte) []byte {
	return append(append(append([]byte{}, to...), from...), packet[12:]...)
}

func TestPacketsOfDirectServices(t *testing.T) {
	for _, c := range []struct {
		hook  Hook
		means map[uint32]uint32 // maps TCX verdicts to this hook's
	}{
		{TCX, map[uint32]uint32{verdictRedirect: verdictRedirect, verdictDrop: verdictDrop, verdictNext: verdictNext}},
		{XDP, map[uint32]uint32{verdictRedirect: xdpTX, verdictDrop: xdpDrop, verdictNext: xdpPass}},
	} {
		t.Run(c.hook.Name, func(t *testing.T) { judgesPackets(t, c.hook, c.means) })
	}
}

func judgesPackets(t *testing.T, hook Hook, means map[uint32]uint32) {
	e := openAt(t, newPlace(t), hook, datapath.Options{})
	set(t, e,
		newService(service4, 80, datapath.TCP, datapath.Direct, only("a")), newService(service4, 80, datapath.UDP, datapath.Direct, only("a")),
		newService(service6, 80, datapath.TCP, datapath.Direct, only("b")), newService(service6, 80, datapath.UDP, datapath.Direct, only("b")),
		newService(service4, 81, datapath.TCP, datapath.Direct, only("none")),
	)
	toA := func(packet []byte) []byte { return relinked(packet, macA, ours) }
	toB := func(packet []byte) []byte { return relinked(packet, macB, ours) }
	same := func(packet []byte) []byte { return packet }
	port81 := with(from4(6, 5000, syn, ""), func(f *frame) {
		f.payload = segment(6, netip.AddrPortFrom(client4, 5000), netip.AddrPortFrom(service4, 81), syn, "")
	})
	for _, fixture := range []struct {
		name    string
		in      []byte
		verdict uint32
		out     func([]byte) []byte
		drop    string
	}{
		{"TCP SYN", from4(6, 5000, syn, "").bytes(), verdictRedirect, toA, ""},
		{"TCP data", from4(6, 5000, ack, "hello").bytes(), verdictRedirect, toA, ""},
		{"TCP FIN", from4(6, 5000, ack|fin, "").bytes(), verdictRedirect, toA, ""},
		{"UDP", from4(17, 5001, 0, "hello").bytes(), verdictRedirect, toA, ""},
		{"IPv6 TCP SYN", from6(6, 5000, syn, "").bytes(), verdictRedirect, toB, ""},
		{"IPv6 TCP data", from6(6, 5000, ack, "hello").bytes(), verdictRedirect, toB, ""},
		{"IPv6 UDP", from6(17, 5001, 0, "hello").bytes(), verdictRedirect, toB, ""},
		{"IPv4 options", with(from4(6, 5002, syn, ""), func(f *frame) { f.options = []byte{1, 1, 1, 0} }).bytes(), verdictRedirect, toA, ""},
		{"IPv6 destination options", with(from6(6, 5002, syn, ""), func(f *frame) { f.firstExtension, f.options = 60, []byte{6, 0, 1, 4, 0, 0, 0, 0} }).bytes(), verdictRedirect, toB, ""},
		{"no backend", port81.bytes(), verdictDrop, same, "no_backend"},
		{"another port", with(from4(6, 5000, syn, ""), func(f *frame) {
			f.payload = segment(6, netip.AddrPortFrom(client4, 5000), netip.AddrPortFrom(service4, 82), syn, "")
		}).bytes(), verdictNext, same, ""},
		{"another address", with(from4(6, 5000, syn, ""), func(f *frame) { f.dest = ourIPv4 }).bytes(), verdictNext, same, ""},
		{"another station's frame", with(from4(6, 5000, syn, ""), func(f *frame) { f.to = macB }).bytes(), verdictNext, same, ""},
		{"ARP", append(append(append([]byte{}, ours...), router...), append([]byte{8, 6}, make([]byte, 28)...)...), verdictNext, same, ""},
		{"first fragment", with(from4(6, 5003, ack, "hello"), func(f *frame) { f.fragment = 0x2000 }).bytes(), verdictDrop, same, "fragment"},
		{"last fragment", with(from4(17, 5003, 0, "hello"), func(f *frame) { f.fragment = 100 }).bytes(), verdictDrop, same, "fragment"},
		{"IPv6 fragment", with(from6(17, 5003, 0, "hello"), func(f *frame) { f.firstExtension, f.options = 44, []byte{17, 0, 0, 1, 0, 0, 0, 1} }).bytes(), verdictDrop, same, "fragment"},
		{"fragment for another", with(from4(17, 5003, 0, "hello"), func(f *frame) { f.fragment, f.dest = 100, ourIPv4 }).bytes(), verdictNext, same, ""},
		{"TCP header cut off", from4(6, 5000, ack, "").bytes()[:14+20+12], verdictDrop, same, "malformed"},
		{"UDP header cut off", with(from4(17, 5000, 0, ""), func(f *frame) { f.payload = f.payload[:4] }).bytes(), verdictDrop, same, "malformed"},
		{"IPv6 TCP header cut off", with(from6(6, 5000, ack, ""), func(f *frame) { f.payload = f.payload[:8] }).bytes(), verdictDrop, same, "malformed"},
		{"TCP header shorter than itself", with(from4(6, 5000, ack, ""), func(f *frame) { f.payload[12] = 4 << 4 }).bytes(), verdictDrop, same, "malformed"},
		{"TCP options beyond the end", with(from4(6, 5000, ack, ""), func(f *frame) { f.payload[12] = 8 << 4 }).bytes(), verdictDrop, same, "malformed"},
		{"ping", with(from4(1, 0, 0, ""), func(f *frame) { f.payload = append([]byte{8, 0, 0xf7, 0xff}, make([]byte, 4)...) }).bytes(), verdictNext, same, ""},
	} {
		t.Run(fixture.name, func(t *testing.T) {
			before := dropsOf(t, e)
			verdict, out, err := e.program.Test(fixture.in)
			must(t, err)
			if want := fixture.out(fixture.in); verdict != means[fixture.verdict] || !bytes.Equal(out, want) {
				t.Fatalf("verdict %d, want %d\nout  %s\nwant %s", verdict, means[fixture.verdict], hex.EncodeToString(out), hex.EncodeToString(want))
			}
			after := dropsOf(t, e)
			for reason, count := range after {
				want := before[reason]
				if reason == fixture.drop {
					want++
				}
				if count != want {
					t.Errorf("drops for %s went from %d to %d", reason, before[reason], count)
				}
			}
		})
	}
}

func dropsOf(t *testing.T, e *Engine) map[string]uint64 {
	t.Helper()
	observed, err := e.Observe(t.Context())
	must(t, err)
	return observed.AllDrops()
}
