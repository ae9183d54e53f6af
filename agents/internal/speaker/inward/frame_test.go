package inward

import (
	"net"
	"net/netip"
	"testing"
)

func flows() []flow {
	link := net.HardwareAddr{2, 0, 0, 0, 0, 1}
	var flows []flow
	for _, ends := range [][2]string{{"10.0.0.1:50000", "203.0.113.7:80"}, {"[fd00::1]:50000", "[2001:db8::7]:80"}} {
		for _, protocol := range []byte{tcp, udp} {
			flows = append(flows, flow{
				link: link, from: netip.MustParseAddrPort(ends[0]), to: netip.MustParseAddrPort(ends[1]), protocol: protocol, firstSegment: 0xfffffffe,
			})
		}
	}
	return flows
}

// back is a backend's reply to the flow.
func back(f flow) []byte {
	other := f
	other.from, other.to = f.to, f.from
	const ethernet = 14
	if f.protocol == udp {
		return other.datagram([]byte("here"))[ethernet:]
	}
	segment := other.segment(7, syn|ack)[ethernet:]
	at := len(segment) - 20 + 8
	copy(segment[at:], []byte{0xff, 0xff, 0xff, 0xff}) // acknowledges the first segment
	return segment
}

func TestAnswerInMatchesTheFlow(t *testing.T) {
	for _, f := range flows() {
		a, is := f.answerIn(back(f))
		if !is || f.protocol == tcp && a.flags != syn|ack || f.protocol == udp && string(a.payload) != "here" {
			t.Errorf("%v to %v: %+v, %t", f.from, f.to, a, is)
		}
		for name, other := range map[string]func(*flow){
			"another port": func(f *flow) { f.from = netip.AddrPortFrom(f.from.Addr(), 50001) },
			"another host": func(f *flow) { f.from = netip.AddrPortFrom(f.from.Addr().Next(), 50000) },
			"the question": func(f *flow) { f.from, f.to = f.to, f.from },
		} {
			changed := f
			other(&changed)
			if a, is := changed.answerIn(back(f)); is {
				t.Errorf("%v to %v, %s: %+v", f.from, f.to, name, a)
			}
		}
	}
	stale := flows()[0]
	stale.firstSegment++
	if a, is := stale.answerIn(back(flows()[0])); is {
		t.Errorf("another connection: %+v", a)
	}
}

// The checksum over data that includes its checksum is zero.
func TestChecksums(t *testing.T) {
	for _, f := range flows() {
		const ethernet, header4, header6 = 14, 20, 40
		frame, header := f.datagram([]byte("odd")), header4
		if f.protocol == tcp {
			frame = f.segment(1, syn)
		}
		if f.to.Addr().Is6() {
			header = header6
		} else if sum := checksum(frame[ethernet : ethernet+header]); sum != 0 {
			t.Errorf("%v to %v: header checksum is off by %#x", f.from, f.to, sum)
		}
		inner := frame[ethernet+header:]
		pseudo := append(f.from.Addr().AsSlice(), f.to.Addr().AsSlice()...)
		pseudo = append(pseudo, 0, 0, 0, byte(len(inner)), 0, 0, 0, f.protocol)
		if sum := checksum(append(pseudo, inner...)); sum != 0 {
			t.Errorf("%v to %v: checksum is off by %#x", f.from, f.to, sum)
		}
	}
}

func FuzzAnswer(f *testing.F) {
	for _, flow := range flows() {
		f.Add(back(flow))
	}
	f.Add([]byte{0x4f})
	f.Fuzz(func(t *testing.T, packet []byte) {
		for _, flow := range flows() {
			if a, is := flow.answerIn(packet); is && len(a.payload) > len(packet) {
				t.Fatalf("%+v of %d bytes", a, len(packet))
			}
		}
	})
}
