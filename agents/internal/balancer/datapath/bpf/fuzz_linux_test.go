package bpf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"testing"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// seeds are valid packets of all kinds, for the fuzzers to mutate.
func seeds() [][]byte {
	var out [][]byte
	for _, port := range []uint16{80, 81, 82, 83} {
		for _, protocol := range []byte{6, 17} {
			for _, family := range []frame{from4(protocol, 5000, 0, ""), from6(protocol, 5000, 0, "")} {
				for _, flags := range []byte{syn, ack, ack | fin, rst} {
					family.payload = segment(protocol, netip.AddrPortFrom(family.source, 5000), netip.AddrPortFrom(family.dest, port), flags, "hello")
					out = append(out, family.bytes())
				}
				back := frame{source: family.dest, dest: family.source, protocol: protocol,
					payload: segment(protocol, netip.AddrPortFrom(family.dest, port), netip.AddrPortFrom(family.source, 5000), ack, "hello")}
				hop := hop4
				if family.dest.Is6() {
					hop = hop6
				}
				out = append(out, icmpError(ours, router, hop, family.dest, back).bytes())
			}
		}
	}
	out = append(out,
		with(from4(6, 5000, syn, ""), func(f *frame) { f.options = []byte{1, 1, 1, 0} }).bytes(),
		with(from6(6, 5000, syn, ""), func(f *frame) { f.firstExtension, f.options = 60, []byte{6, 0, 1, 4, 0, 0, 0, 0} }).bytes(),
		with(from6(17, 5000, 0, ""), func(f *frame) { f.firstExtension, f.options = 44, []byte{17, 0, 0, 1, 0, 0, 0, 1} }).bytes(),
		with(from4(17, 5000, 0, ""), func(f *frame) { f.fragment = 0x2000 }).bytes(),
	)
	return out
}

// fuzzedPort is the first service's; the ports of other deliveries follow.
const fuzzedPort = 80

func FuzzTCX(f *testing.F) {
	fuzz(f, TCX, []datapath.Delivery{datapath.Direct, datapath.Tunnel, datapath.GUE, datapath.NAT}, verdictRedirect, verdictNext)
}

func FuzzXDP(f *testing.F) {
	fuzz(f, XDP, []datapath.Delivery{datapath.Direct, datapath.Tunnel, datapath.GUE}, xdpTX, xdpPass)
}

func fuzz(f *testing.F, hook Hook, deliveries []datapath.Delivery, sent, passed uint32) {
	for _, seed := range seeds() {
		f.Add(seed)
	}
	e := openAt(f, newPlace(f), hook, datapath.Options{})
	var services []datapath.Service
	for i, delivery := range deliveries {
		for _, protocol := range []datapath.Protocol{datapath.TCP, datapath.UDP} {
			services = append(services, newService(service4, uint16(fuzzedPort+i), protocol, delivery, only("a")), newService(service6, uint16(fuzzedPort+i), protocol, delivery, only("a")))
		}
	}
	set(f, e, services...)
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) > 1400 { // larger ones don't fit into a tunnel, which has its own test
			in = in[:1400]
		}
		verdict, out, err := e.program.Test(in)
		if errors.Is(err, unix.EINVAL) {
			return // too short for the kernel to be a packet
		}
		must(t, err)
		switch verdict {
		case passed:
			if !bytes.Equal(in, out) {
				t.Fatalf("passed on, but rewritten\nin  %x\nout %x", in, out)
			}
		case sent:
			if err := rightlySent(in, out); err != nil {
				t.Fatalf("%v\nin  %x\nout %x", err, in, out)
			}
		}
	})
}

// rightlySent checks the output with an independent parser.
func rightlySent(in, out []byte) error {
	if !bytes.Equal(in[:6], ours) || !bytes.Equal(out[:6], macA) && !bytes.Equal(out[:6], router) || !bytes.Equal(out[6:12], ours) {
		return errors.New("sent to or for another host")
	}
	if !bytes.Contains(in, service4.AsSlice()) && !bytes.Contains(in, service6.AsSlice()) && !bytes.Contains(in, ourIPv4.AsSlice()) && !bytes.Contains(in, ourIPv6.AsSlice()) {
		return errors.New("sent, but for no service")
	}
	if bytes.Equal(in[12:], out[12:]) {
		return nil // direct
	}
	if header := len(out) - len(in); header != 0 {
		return rightlyWrapped(in, out, header)
	}
	if before, after := valid(in), valid(out); before != after {
		return errors.New("checksums were " + before + " and are " + after)
	}
	return rightlyTranslated(in, out)
}

// rightlyTranslated checks addresses and ports. All services have one backend on the same
// port, so a client's packet goes there, from one of our own ports; and a reply can only
// belong to a connection that was fuzzed before.
func rightlyTranslated(in, out []byte) error {
	inSource, inDest, protocol, inLayer4 := layers(in)
	source, dest, _, layer4 := layers(out)
	if inLayer4 == nil || layer4 == nil || protocol != 6 && protocol != 17 {
		return nil // an ICMP error, whose quotation has its own tests
	}
	isOurs := func(a netip.Addr) bool { return a == ourIPv4 || a == ourIPv6 }
	isService := func(a netip.Addr) bool { return a == service4 || a == service6 }
	isBackend := func(a netip.Addr) bool { return a == backends4[0] || a == backends6[0] }
	port := func(segment []byte, at int) uint16 { return binary.BigEndian.Uint16(segment[at:]) }
	switch {
	case isService(inDest):
		if !isOurs(source) || !isBackend(dest) || port(layer4, 2) != natBackendPort || port(layer4, 0) < 1024 {
			return fmt.Errorf("%s to the service went from %s port %d to %s port %d", inSource, source, port(layer4, 0), dest, port(layer4, 2))
		}
	case isOurs(inDest) && isBackend(inSource):
		if !isService(source) || isOurs(dest) || port(layer4, 0) != fuzzedPort+3 {
			return fmt.Errorf("an answer of %s went from %s port %d to %s", inSource, source, port(layer4, 0), dest)
		}
	default:
		return fmt.Errorf("%s to %s was translated", inSource, inDest)
	}
	if !bytes.Equal(inLayer4[4:6], layer4[4:6]) {
		return errors.New("more than ports was rewritten")
	}
	return nil
}

func TestAWrongTranslationIsDetected(t *testing.T) {
	to := func(source, dest netip.AddrPort) []byte {
		return frame{to: macA, from: ours, source: source.Addr(), dest: dest.Addr(), protocol: 6, payload: segment(6, source, dest, ack, "hello")}.bytes()
	}
	client, service := netip.MustParseAddrPort("203.0.113.9:5000"), netip.AddrPortFrom(service4, fuzzedPort+3)
	us, backend := netip.AddrPortFrom(ourIPv4, 40000), netip.AddrPortFrom(backends4[0], natBackendPort)
	for _, c := range []struct {
		name    string
		in, out []byte
		right   bool
	}{
		{"there", to(client, service), to(us, backend), true},
		{"back", to(backend, us), to(service, client), true},
		{"to another backend", to(client, service), to(us, netip.AddrPortFrom(backends4[1], natBackendPort)), false},
		{"to another port", to(client, service), to(us, netip.AddrPortFrom(backends4[0], 80)), false},
		{"in the client's name", to(client, service), to(client, backend), false},
		{"back in the backend's name", to(backend, us), to(backend, client), false},
		{"back from another port", to(backend, us), to(netip.AddrPortFrom(service4, 80), client), false},
		{"for another client", to(client, netip.AddrPortFrom(client.Addr().Next(), 80)), to(us, backend), false},
	} {
		if err := rightlyTranslated(c.in, c.out); (err == nil) != c.right {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func rightlyWrapped(in, out []byte, header int) error {
	shape, known := map[int]struct {
		ip       int
		protocol byte
	}{20: {20, 4}, 28: {20, 17}, 40: {40, 41}, 48: {40, 17}}[header]
	if !known || !bytes.Equal(out[14+header:], in[14:]) {
		return errors.New("the length changed")
	}
	if shape.ip == 20 && sum16(out[14:34]) != 0xffff {
		return errors.New("the outer header's checksum is wrong")
	}
	_, _, protocol, layer4 := layers(out)
	if protocol != shape.protocol || len(layer4) != header-shape.ip+totalOf(in) {
		return errors.New("the outer header has the wrong protocol")
	}
	if protocol == 17 && (binary.BigEndian.Uint16(layer4[2:]) != 6080 || int(binary.BigEndian.Uint16(layer4[4:])) != len(layer4)) {
		return errors.New("the UDP header is wrong")
	}
	return nil
}

// totalOf returns the length of the packet in a frame, which may be padded.
func totalOf(frame []byte) int {
	if frame[14]>>4 == 6 {
		return 40 + int(binary.BigEndian.Uint16(frame[18:]))
	}
	return int(binary.BigEndian.Uint16(frame[16:]))
}

// valid describes which checksums of a packet are correct.
func valid(packet []byte) string {
	source, dest, protocol, layer4 := layers(packet)
	if layer4 == nil {
		return "unreadable"
	}
	reported := "header right, "
	if source.Is4() && sum16(packet[14:14+int(packet[14]&0xf)*4]) != 0xffff {
		reported = "header wrong, "
	}
	sum := sum16(layer4)
	if protocol != 1 {
		pseudo := append(append([]byte{}, source.AsSlice()...), dest.AsSlice()...)
		pseudo = binary.BigEndian.AppendUint32(pseudo, uint32(len(layer4)))
		sum = sum16(append(append(pseudo, 0, 0, 0, protocol), layer4...))
	}
	if protocol == 17 && len(layer4) >= 8 && binary.BigEndian.Uint16(layer4[6:]) == 0 {
		return reported + "rest has none"
	}
	if sum != 0xffff {
		return reported + "rest wrong"
	}
	return reported + "rest right"
}

func layers(packet []byte) (source, dest netip.Addr, protocol byte, layer4 []byte) {
	switch binary.BigEndian.Uint16(packet[12:]) {
	case 0x0800:
		header, total := 14+int(packet[14]&0xf)*4, 14+int(binary.BigEndian.Uint16(packet[16:]))
		if header > total || total > len(packet) {
			return source, dest, 0, nil
		}
		return netip.AddrFrom4([4]byte(packet[26:30])), netip.AddrFrom4([4]byte(packet[30:34])), packet[23], packet[header:total]
	case 0x86dd:
		at := 54
		protocol = packet[20]
		for protocol == 0 || protocol == 43 || protocol == 60 {
			if at+8 > len(packet) {
				return source, dest, 0, nil
			}
			protocol, at = packet[at], at+8+int(packet[at+1])*8
		}
		total := 54 + int(binary.BigEndian.Uint16(packet[18:]))
		if at > total || total > len(packet) {
			return source, dest, 0, nil
		}
		return netip.AddrFrom16([16]byte(packet[22:38])), netip.AddrFrom16([16]byte(packet[38:54])), protocol, packet[at:total]
	}
	return source, dest, 0, nil
}
