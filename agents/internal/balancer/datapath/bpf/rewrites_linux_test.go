package bpf

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"net/netip"
	"strings"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

func TestTunnelledPacketsAreWrappedWhole(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, newService(service4, 80, datapath.TCP, datapath.Tunnel, only("a")), newService(service6, 80, datapath.UDP, datapath.Tunnel, only("b")))
	for _, c := range []struct {
		name string
		in   frame
		out  frame
	}{
		{"IPv4 in IPv4", from4(6, 5000, syn, ""), frame{to: macA, from: ours, source: ourIPv4, dest: backends4[0], protocol: 4, fragment: 0x4000}},
		{"IPv6 in IPv6", from6(17, 5000, 0, "hello"), frame{to: macB, from: ours, source: ourIPv6, dest: backends6[1], protocol: 41}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.out.payload = c.in.bytes()[14:]
			verdict, out, err := e.program.Test(c.in.bytes())
			must(t, err)
			if want := c.out.bytes(); verdict != verdictRedirect || !bytes.Equal(out, want) {
				t.Fatalf("verdict %d\nout  %s\nwant %s", verdict, hex.EncodeToString(out), hex.EncodeToString(want))
			}
		})
	}
}

// Two flows have different source ports, and packets of one flow have the same.
func TestGUEDistinguishesFlows(t *testing.T) {
	for _, c := range []struct {
		hook Hook
		sent uint32
	}{{TCX, verdictRedirect}, {XDP, xdpTX}} {
		e := openAt(t, newPlace(t), c.hook, datapath.Options{})
		set(t, e, newService(service4, 80, datapath.TCP, datapath.GUE, only("a")), newService(service6, 80, datapath.UDP, datapath.GUE, only("b")))
		for _, family := range []struct {
			name string
			in   func(port uint16, payload string) frame
			out  frame
		}{
			{"IPv4", func(port uint16, payload string) frame { return from4(6, port, ack, payload) },
				frame{to: macA, from: ours, source: ourIPv4, dest: backends4[0], protocol: 17, fragment: 0x4000}},
			{"IPv6", func(port uint16, payload string) frame { return from6(17, port, 0, payload) },
				frame{to: macB, from: ours, source: ourIPv6, dest: backends6[1], protocol: 17}},
		} {
			t.Run(c.hook.Name+" "+family.name, func(t *testing.T) {
				ports := map[uint16]bool{}
				for flow := range uint16(16) {
					ports[wrapped(t, e, c.sent, family.in(5000+flow, "hello"), family.out)] = true
				}
				if len(ports) < 12 {
					t.Errorf("16 flows leave from %d ports", len(ports))
				}
				first := wrapped(t, e, c.sent, family.in(5000, "hello"), family.out)
				if again := wrapped(t, e, c.sent, family.in(5000, "and more"), family.out); again != first {
					t.Errorf("one flow leaves from the ports %d and %d", first, again)
				}
			})
		}
	}
}

// wrapped runs a packet and returns its outer source port; all else must be correct.
func wrapped(t *testing.T, e *Engine, sent uint32, in, out frame) uint16 {
	t.Helper()
	verdict, got, err := e.program.Test(in.bytes())
	must(t, err)
	inner := in.bytes()[14:]
	at := len(out.bytes())
	if len(got) < at+8 {
		t.Fatalf("verdict %d\nout  %s", verdict, hex.EncodeToString(got))
	}
	port := binary.BigEndian.Uint16(got[at:])
	udp := binary.BigEndian.AppendUint16(nil, port)
	udp = binary.BigEndian.AppendUint16(udp, 6080)
	udp = binary.BigEndian.AppendUint16(udp, uint16(8+len(inner)))
	out.payload = append(append(udp, 0, 0), inner...)
	if want := out.bytes(); verdict != sent || !bytes.Equal(got, want) || port < 0xc000 {
		t.Fatalf("verdict %d\nout  %s\nwant %s", verdict, hex.EncodeToString(got), hex.EncodeToString(want))
	}
	return port
}

func TestAPacketTooBigForATunnelIsAnswered(t *testing.T) {
	for _, c := range []struct {
		hook     Hook
		sent     uint32
		delivery datapath.Delivery
		outer    byte // besides IP
	}{{TCX, verdictRedirect, datapath.Tunnel, 0}, {XDP, xdpTX, datapath.Tunnel, 0}, {TCX, verdictRedirect, datapath.GUE, 8}, {XDP, xdpTX, datapath.GUE, 8}} {
		e := openAt(t, newPlace(t), c.hook, datapath.Options{})
		set(t, e, newService(service4, 80, datapath.TCP, c.delivery, only("a")), newService(service6, 80, datapath.TCP, c.delivery, only("a")))
		for name, f := range map[string]frame{
			"IPv4": from4(6, 5000, ack, strings.Repeat("x", 1500-40)),
			"IPv6": from6(6, 5000, ack, strings.Repeat("x", 1500-60)),
		} {
			t.Run(c.hook.Name+" "+string(c.delivery)+" "+name, func(t *testing.T) {
				in := f.bytes()
				want := frame{to: router, from: ours, source: f.dest, dest: f.source, protocol: 1, payload: append([]byte{3, 4, 0, 0, 0, 0, 0x05, 0xc8 - c.outer}, in[14:14+40]...)} // 1480
				if f.dest.Is6() {
					want.protocol, want.payload = 58, append([]byte{2, 0, 0, 0, 0, 0, 0x05, 0xb4 - c.outer}, in[14:14+60]...) // 1460
					binary.BigEndian.PutUint16(want.payload[2:], checksum4(58, f.dest, f.source, want.payload))
				} else {
					binary.BigEndian.PutUint16(want.payload[2:], ^sum16(want.payload))
				}
				verdict, out, err := e.program.Test(in)
				must(t, err)
				if !bytes.Equal(out, want.bytes()) || verdict != c.sent {
					t.Fatalf("verdict %d\nout  %s\nwant %s", verdict, hex.EncodeToString(out), hex.EncodeToString(want.bytes()))
				}
			})
		}
	}
}

// natPair returns one flow: what the client sends and what the backend should receive.
func natPair(protocol byte, flags byte, client, service, own, backend netip.Addr, mac []byte, port, ownPort uint16) (in, out frame) {
	in = frame{to: ours, from: router, source: client, dest: service, protocol: protocol,
		payload: segment(protocol, netip.AddrPortFrom(client, port), netip.AddrPortFrom(service, 80), flags, "hello")}
	out = frame{to: mac, from: ours, source: own, dest: backend, protocol: protocol,
		payload: segment(protocol, netip.AddrPortFrom(own, ownPort), netip.AddrPortFrom(backend, 8080), flags, "hello")}
	return in, out
}

func natEngine(t *testing.T) *Engine {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	var services []datapath.Service
	for _, protocol := range []datapath.Protocol{datapath.TCP, datapath.UDP} {
		services = append(services, newService(service4, 80, protocol, datapath.NAT, only("a")), newService(service6, 80, protocol, datapath.NAT, only("a")))
	}
	set(t, e, services...)
	return e
}

func TestTranslatedPacketsGoThereAndBack(t *testing.T) {
	e := natEngine(t)
	for _, c := range []struct {
		name                          string
		protocol, flags               byte
		client, service, own, backend netip.Addr
	}{
		{"IPv4 TCP", 6, syn, client4, service4, ourIPv4, backends4[0]},
		{"IPv4 UDP", 17, 0, client4, service4, ourIPv4, backends4[0]},
		{"IPv6 TCP", 6, syn, client6, service6, ourIPv6, backends6[0]},
		{"IPv6 UDP", 17, 0, client6, service6, ourIPv6, backends6[0]},
	} {
		t.Run(c.name, func(t *testing.T) {
			port := nextPort(t, e, 0)
			in, out := natPair(c.protocol, c.flags, c.client, c.service, c.own, c.backend, macA, 5000, port)
			exchange(t, e, "there", in.bytes(), out.bytes())
			answer := frame{to: ours, from: macA, source: c.backend, dest: c.own, protocol: c.protocol,
				payload: segment(c.protocol, netip.AddrPortFrom(c.backend, 8080), netip.AddrPortFrom(c.own, port), syn|ack, "hi")}
			want := frame{to: router, from: ours, source: c.service, dest: c.client, protocol: c.protocol,
				payload: segment(c.protocol, netip.AddrPortFrom(c.service, 80), netip.AddrPortFrom(c.client, 5000), syn|ack, "hi")}
			exchange(t, e, "back", answer.bytes(), want.bytes())
			more, wanted := natPair(c.protocol, ack, c.client, c.service, c.own, c.backend, macA, 5000, port)
			exchange(t, e, "there again", more.bytes(), wanted.bytes())
			exchange(t, e, "back again", answer.bytes(), want.bytes())
		})
	}
}

// nextPort returns the port of the next new flow if this many ports before it are taken.
func nextPort(t *testing.T, e *Engine, taken uint32) uint16 {
	t.Helper()
	var now program.Settings
	must(t, e.maps[program.TcxMapSettingsMap].Lookup(uint32(0), &now))
	var turns uint32
	must(t, e.maps[program.TcxMapNatTurns].Lookup(uint32(0), &turns))
	ports := uint32(now.NatPorts)
	return now.NatFirst + uint16(((now.NatStart+turns)%ports+taken*(ports/16+1))%ports)
}

func exchange(t *testing.T, e *Engine, what string, in, want []byte) {
	t.Helper()
	verdict, out, err := e.program.Test(in)
	must(t, err)
	if verdict != verdictRedirect || !bytes.Equal(out, want) {
		t.Fatalf("%s: verdict %d\nin   %s\nout  %s\nwant %s", what, verdict, hex.EncodeToString(in), hex.EncodeToString(out), hex.EncodeToString(want))
	}
}

// icmpError is "packet too big" about a packet, as a router on the path would send it.
func icmpError(to, from []byte, router, dest netip.Addr, about frame) frame {
	about.to, about.from = ours, ours
	quoted := about.bytes()[14:]
	if router.Is4() {
		body := append([]byte{3, 4, 0, 0, 0, 0, 0x05, 0x14}, quoted[:28]...)
		binary.BigEndian.PutUint16(body[2:], ^sum16(body))
		return frame{to: to, from: from, source: router, dest: dest, protocol: 1, payload: body}
	}
	body := append([]byte{2, 0, 0, 0, 0, 0, 0x05, 0x14}, quoted...)
	binary.BigEndian.PutUint16(body[2:], checksum4(58, router, dest, body))
	return frame{to: to, from: from, source: router, dest: dest, protocol: 58, payload: body}
}

var (
	hop4 = netip.MustParseAddr("198.51.100.254")
	hop6 = netip.MustParseAddr("2001:db8:c::fe")
)

func TestICMPErrorsReachTheOwnerOfTheFlow(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, tcpService(), newService(service6, 80, datapath.TCP, datapath.Direct, only("b")))
	port := portTo(t, e, "b", 1000)
	answer4 := frame{source: service4, dest: client4, protocol: 6, payload: segment(6, netip.AddrPortFrom(service4, 80), netip.AddrPortFrom(client4, port), ack, "data")}
	answer6 := frame{source: service6, dest: client6, protocol: 6, payload: segment(6, netip.AddrPortFrom(service6, 80), netip.AddrPortFrom(client6, port), ack, "data")}
	for name, in := range map[string]frame{
		"IPv4": icmpError(ours, router, hop4, service4, answer4),
		"IPv6": icmpError(ours, router, hop6, service6, answer6),
	} {
		exchange(t, e, name, in.bytes(), relinked(in.bytes(), macB, ours))
	}
	other := answer4
	other.payload = segment(6, netip.AddrPortFrom(service4, 99), netip.AddrPortFrom(client4, port), ack, "data")
	in := icmpError(ours, router, hop4, service4, other).bytes()
	if verdict, out, err := e.program.Test(in); err != nil || verdict != verdictNext || !bytes.Equal(out, in) {
		t.Errorf("about a port of no service: verdict %d, %v", verdict, err)
	}
}

func TestICMPErrorsAboutTranslatedPacketsAreTranslated(t *testing.T) {
	e := natEngine(t)
	for _, c := range []struct {
		name                               string
		client, service, own, backend, hop netip.Addr
	}{
		{"IPv4", client4, service4, ourIPv4, backends4[0], hop4},
		{"IPv6", client6, service6, ourIPv6, backends6[0], hop6},
	} {
		t.Run(c.name, func(t *testing.T) {
			in, out := natPair(17, 0, c.client, c.service, c.own, c.backend, macA, 5000, 0)
			verdict, sent, err := e.program.Test(in.bytes())
			must(t, err)
			if verdict != verdictRedirect {
				t.Fatalf("verdict %d", verdict)
			}
			port := binary.BigEndian.Uint16(sent[len(sent)-len(in.payload):])
			answer := frame{source: c.service, dest: c.client, protocol: 17, payload: segment(17, netip.AddrPortFrom(c.service, 80), netip.AddrPortFrom(c.client, 5000), 0, "x")}
			inner := frame{source: c.backend, dest: c.own, protocol: 17, payload: segment(17, netip.AddrPortFrom(c.backend, 8080), netip.AddrPortFrom(c.own, port), 0, "x")}
			translates(t, e, icmpError(ours, router, c.hop, c.service, answer), icmpError(macA, ours, c.own, c.backend, inner))
			out.payload = segment(17, netip.AddrPortFrom(c.own, port), netip.AddrPortFrom(c.backend, 8080), 0, "hello")
			translates(t, e, icmpError(ours, macA, c.backend, c.own, out), icmpError(router, ours, c.service, c.client, in))
		})
	}
}

// translates compares all but the quoted UDP checksum, which is never used.
func translates(t *testing.T, e *Engine, in, want frame) {
	t.Helper()
	verdict, out, err := e.program.Test(in.bytes())
	must(t, err)
	wanted := want.bytes()
	at := 14 + 20 + 8 + 20 + 6
	layer4 := 14 + 20
	if want.source.Is6() {
		at, layer4 = 14+40+8+40+6, 14+40
		body := append([]byte{}, out[layer4:]...)
		body[2], body[3] = 0, 0
		if sum := checksum4(58, want.source, want.dest, body); sum != binary.BigEndian.Uint16(out[layer4+2:]) {
			t.Errorf("checksum of ICMPv6 is %x, want %x", out[layer4+2:layer4+4], sum)
		}
	} else if sum := sum16(out[layer4:]); sum != 0xffff {
		t.Errorf("checksum of ICMP is wrong: %x", sum)
	}
	copy(wanted[at:at+2], out[at:at+2])
	copy(wanted[layer4+2:layer4+4], out[layer4+2:layer4+4])
	if verdict != verdictRedirect || !bytes.Equal(out, wanted) {
		t.Fatalf("verdict %d\nout  %s\nwant %s", verdict, hex.EncodeToString(out), hex.EncodeToString(wanted))
	}
}
