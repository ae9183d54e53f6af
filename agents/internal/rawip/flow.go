package rawip

import (
	"cmp"
	"encoding/binary"
	"net/netip"
)

// Protocols, and TCP flags.
const (
	TCP, UDP = 6, 17

	SYN = 0x02
	RST = 0x04
	ACK = 0x10
)

// Flow is the source and destination of a probe.
type Flow struct {
	From, To     netip.AddrPort
	Protocol     byte
	FirstSegment uint32 // its TCP sequence number
	Hops         byte   // most hops of a packet; 0: 64
}

// Segment returns an IP packet with an empty TCP segment.
func (f Flow) Segment(number uint32, flags byte) []byte { return f.segment(number, 0, flags) }

// Reset returns the packet that ends a connection that was accepted: the server frees it at once. It acknowledges the answer,
// because a balancer that answered by a SYN cookie knows the connection only by that.
func (f Flow) Reset(accepted Answer) []byte {
	return f.segment(f.FirstSegment+1, accepted.Number+1, RST|ACK)
}

func (f Flow) segment(number, acknowledged uint32, flags byte) []byte {
	segment := make([]byte, 20)
	binary.BigEndian.PutUint32(segment[4:], number)
	binary.BigEndian.PutUint32(segment[8:], acknowledged)
	segment[12], segment[13] = 5<<4, flags
	binary.BigEndian.PutUint16(segment[14:], 65535)
	return f.packet(segment, 16)
}

// Datagram returns an IP packet with a UDP datagram.
func (f Flow) Datagram(payload []byte) []byte {
	datagram := append(make([]byte, 8), payload...)
	binary.BigEndian.PutUint16(datagram[4:], uint16(len(datagram)))
	return f.packet(datagram, 6)
}

// packet adds ports, the checksum at its offset, and the IP header to a segment or datagram.
func (f Flow) packet(inner []byte, checksumAt int) []byte {
	binary.BigEndian.PutUint16(inner, f.From.Port())
	binary.BigEndian.PutUint16(inner[2:], f.To.Port())
	pseudo := append(f.From.Addr().AsSlice(), f.To.Addr().AsSlice()...)
	pseudo = binary.BigEndian.AppendUint32(pseudo, uint32(len(inner)))
	pseudo = binary.BigEndian.AppendUint32(pseudo, uint32(f.Protocol))
	sum := checksum(append(pseudo, inner...))
	if sum == 0 && f.Protocol == UDP {
		sum = 0xffff // zero would mean no checksum
	}
	binary.BigEndian.PutUint16(inner[checksumAt:], sum)
	return wrap(f.From.Addr(), f.To.Addr(), f.Protocol, cmp.Or(f.Hops, hopsDefault), inner)
}

// Wrap puts an IP header before a payload.
func Wrap(from, to netip.Addr, protocol byte, payload []byte) []byte {
	return wrap(from, to, protocol, hopsDefault, payload)
}

const hopsDefault = 64

func wrap(from, to netip.Addr, protocol, hops byte, payload []byte) []byte {
	if to.Is4() {
		return append(header4(from, to, protocol, hops, len(payload)), payload...)
	}
	return append(header6(from, to, protocol, hops, len(payload)), payload...)
}

func header4(from, to netip.Addr, protocol, hops byte, length int) []byte {
	header := make([]byte, 20, 20+length)
	header[0], header[6], header[8], header[9] = 0x45, 0x40, hops, protocol // don't fragment
	binary.BigEndian.PutUint16(header[2:], uint16(len(header)+length))
	copy(header[12:], from.AsSlice())
	copy(header[16:], to.AsSlice())
	binary.BigEndian.PutUint16(header[10:], checksum(header))
	return header
}

func header6(from, to netip.Addr, protocol, hops byte, length int) []byte {
	header := make([]byte, 40, 40+length)
	header[0], header[6], header[7] = 0x60, protocol, hops
	binary.BigEndian.PutUint16(header[4:], uint16(length))
	copy(header[8:], from.AsSlice())
	copy(header[24:], to.AsSlice())
	return header
}

func checksum(bytes []byte) uint16 {
	var sum uint32
	for i := 0; i < len(bytes); i += 2 {
		word := uint32(bytes[i]) << 8
		if i+1 < len(bytes) {
			word |= uint32(bytes[i+1])
		}
		sum += word
	}
	for sum > 0xffff {
		sum = sum>>16 + sum&0xffff
	}
	return ^uint16(sum)
}

// Answer is a reply to a flow: TCP flags, or the UDP payload.
type Answer struct {
	From, To     netip.AddrPort
	Protocol     byte
	Flags        byte
	Number       uint32 // TCP sequence number
	Acknowledged uint32 // the same of the flow
	Payload      []byte // part of the packet that was parsed
}

// Parse parses a packet from its IP header on. It is not ok if it can't be an answer: a TCP segment
// without SYN and RST is none.
func Parse(packet []byte) (a Answer, ok bool) {
	inner, from, to, protocol, ok := unpack(packet)
	if !ok || len(inner) < 8 {
		return a, false
	}
	a = Answer{
		From: netip.AddrPortFrom(from, binary.BigEndian.Uint16(inner)), To: netip.AddrPortFrom(to, binary.BigEndian.Uint16(inner[2:])),
		Protocol: protocol,
	}
	switch {
	case protocol == UDP:
		a.Payload = inner[8:]
		return a, true
	case protocol != TCP || len(inner) < 20:
		return a, false
	}
	a.Flags, a.Number, a.Acknowledged = inner[13], binary.BigEndian.Uint32(inner[4:]), binary.BigEndian.Uint32(inner[8:])
	return a, a.Flags&(SYN|RST) != 0
}

// Answers reports whether an answer belongs to a flow. Its source isn't compared: with some data
// paths it is still the backend's.
func (a Answer) Answers(f Flow) bool {
	return a.Protocol == f.Protocol && a.To == f.From && (a.Protocol != TCP || a.Acknowledged == f.FirstSegment+1)
}

func unpack(packet []byte) (inner []byte, from, to netip.Addr, protocol byte, ok bool) {
	switch {
	case len(packet) >= 20 && packet[0]>>4 == 4:
		header := int(packet[0]&0x0f) * 4
		if header < 20 || len(packet) < header {
			return nil, from, to, 0, false
		}
		return packet[header:], netip.AddrFrom4([4]byte(packet[12:16])), netip.AddrFrom4([4]byte(packet[16:20])), packet[9], true
	case len(packet) >= 40 && packet[0]>>4 == 6:
		return packet[40:], netip.AddrFrom16([16]byte(packet[8:24])), netip.AddrFrom16([16]byte(packet[24:40])), packet[6], true
	}
	return nil, from, to, 0, false
}
