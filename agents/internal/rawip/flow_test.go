package rawip

import (
	"net/netip"
	"reflect"
	"testing"
)

func flows() []Flow {
	var flows []Flow
	for _, ends := range [][2]string{{"10.0.0.1:50000", "203.0.113.7:80"}, {"[fd00::1]:50000", "[2001:db8::7]:80"}} {
		for _, protocol := range []byte{TCP, UDP} {
			flows = append(flows, Flow{
				From: netip.MustParseAddrPort(ends[0]), To: netip.MustParseAddrPort(ends[1]), Protocol: protocol, FirstSegment: 0xfffffffe,
			})
		}
	}
	return flows
}

// back is a backend's reply to the flow.
func back(f Flow) []byte {
	other := f
	other.From, other.To = f.To, f.From
	if f.Protocol == UDP {
		return other.Datagram([]byte("here"))
	}
	segment := other.Segment(7, SYN|ACK)
	at := len(segment) - 20 + 8
	copy(segment[at:], []byte{0xff, 0xff, 0xff, 0xff}) // acknowledges the first segment
	return segment
}

func answers(f Flow, packet []byte) (Answer, bool) {
	a, ok := Parse(packet)
	return a, ok && a.Answers(f)
}

func TestAnAnswerMatchesTheFlow(t *testing.T) {
	for _, f := range flows() {
		a, is := answers(f, back(f))
		if !is || a.From != f.To || f.Protocol == TCP && a.Flags != SYN|ACK || f.Protocol == UDP && string(a.Payload) != "here" {
			t.Errorf("%v to %v: %+v, %t", f.From, f.To, a, is)
		}
		for name, other := range map[string]func(*Flow){
			"another port": func(f *Flow) { f.From = netip.AddrPortFrom(f.From.Addr(), 50001) },
			"another host": func(f *Flow) { f.From = netip.AddrPortFrom(f.From.Addr().Next(), 50000) },
			"the question": func(f *Flow) { f.From, f.To = f.To, f.From },
		} {
			changed := f
			other(&changed)
			if a, is := answers(changed, back(f)); is {
				t.Errorf("%v to %v, %s: %+v", f.From, f.To, name, a)
			}
		}
	}
	stale := flows()[0]
	stale.FirstSegment++
	if a, is := answers(stale, back(flows()[0])); is {
		t.Errorf("another connection: %+v", a)
	}
}

func TestAResetAcknowledgesTheAnswer(t *testing.T) {
	for _, f := range flows() {
		if f.Protocol != TCP {
			continue
		}
		a, _ := answers(f, back(f))
		reset, ok := Parse(f.Reset(a))
		want := Answer{From: f.From, To: f.To, Protocol: TCP, Flags: RST | ACK, Number: f.FirstSegment + 1, Acknowledged: 8}
		if !ok || !reflect.DeepEqual(reset, want) {
			t.Errorf("%v to %v: %+v, want %+v", f.From, f.To, reset, want)
		}
	}
}

// The checksum over data that includes its checksum is zero.
func TestChecksums(t *testing.T) {
	for _, f := range flows() {
		const header4, header6 = 20, 40
		packet, header := f.Datagram([]byte("odd")), header4
		if f.Protocol == TCP {
			packet = f.Segment(1, SYN)
		}
		if f.To.Addr().Is6() {
			header = header6
		} else if sum := checksum(packet[:header]); sum != 0 {
			t.Errorf("%v to %v: header checksum is off by %#x", f.From, f.To, sum)
		}
		inner := packet[header:]
		pseudo := append(f.From.Addr().AsSlice(), f.To.Addr().AsSlice()...)
		pseudo = append(pseudo, 0, 0, 0, byte(len(inner)), 0, 0, 0, f.Protocol)
		if sum := checksum(append(pseudo, inner...)); sum != 0 {
			t.Errorf("%v to %v: checksum is off by %#x", f.From, f.To, sum)
		}
	}
}

func FuzzAnswer(f *testing.F) {
	for _, flow := range flows() {
		f.Add(back(flow))
	}
	f.Add([]byte{0x4f})
	f.Fuzz(func(t *testing.T, packet []byte) {
		if a, is := Parse(packet); is && len(a.Payload) > len(packet) {
			t.Fatalf("%+v of %d bytes", a, len(packet))
		}
	})
}
