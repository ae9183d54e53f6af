package inward

import (
	"encoding/binary"
	"net"
	"net/netip"
)

// Protocols, and TCP flags.
const (
	tcp, udp = 6, 17
	syn      = 0x02
	rst      = 0x04
	ack      = 0x10
)

// flow is the source and destination of a probe.
type flow struct {
	link         net.HardwareAddr // of our own interface
	from, to     netip.AddrPort
	protocol     byte
	firstSegment uint32 // its TCP sequence number
}

// segment returns a frame with an empty TCP segment.
func (f flow) segment(number uint32, flags byte) []byte {
	segment := make([]byte, 20)
	binary.BigEndian.PutUint32(segment[4:], number)
	segment[12], segment[13] = 5<<4, flags
	binary.BigEndian.PutUint16(segment[14:], 65535)
	return f.frame(segment, 16)
}

// datagram returns a frame with a UDP datagram.
func (f flow) datagram(payload []byte) []byte {
	datagram := append(make([]byte, 8), payload...)
	binary.BigEndian.PutUint16(datagram[4:], uint16(len(datagram)))
	return f.frame(datagram, 6)
}

// frame adds ports, the checksum at its offset, and the IP and Ethernet headers to a segment or
// datagram.
func (f flow) frame(inner []byte, checksumAt int) []byte {
	binary.BigEndian.PutUint16(inner, f.from.Port())
	binary.BigEndian.PutUint16(inner[2:], f.to.Port())
	pseudo := append(f.from.Addr().AsSlice(), f.to.Addr().AsSlice()...)
	pseudo = binary.BigEndian.AppendUint32(pseudo, uint32(len(inner)))
	pseudo = binary.BigEndian.AppendUint32(pseudo, uint32(f.protocol))
	sum := checksum(append(pseudo, inner...))
	if sum == 0 && f.protocol == udp {
		sum = 0xffff // zero would mean no checksum
	}
	binary.BigEndian.PutUint16(inner[checksumAt:], sum)
	frame := append(append([]byte{}, f.link...), f.link...)
	if f.to.Addr().Is4() {
		return append(append(frame, 0x08, 0x00), append(f.header4(len(inner)), inner...)...)
	}
	return append(append(frame, 0x86, 0xdd), append(f.header6(len(inner)), inner...)...)
}

const hops = 64

func (f flow) header4(length int) []byte {
	header := make([]byte, 20)
	header[0], header[6], header[8], header[9] = 0x45, 0x40, hops, f.protocol // don't fragment
	binary.BigEndian.PutUint16(header[2:], uint16(len(header)+length))
	copy(header[12:], f.from.Addr().AsSlice())
	copy(header[16:], f.to.Addr().AsSlice())
	binary.BigEndian.PutUint16(header[10:], checksum(header))
	return header
}

func (f flow) header6(length int) []byte {
	header := make([]byte, 40)
	header[0], header[6], header[7] = 0x60, f.protocol, hops
	binary.BigEndian.PutUint16(header[4:], uint16(length))
	copy(header[8:], f.from.Addr().AsSlice())
	copy(header[24:], f.to.Addr().AsSlice())
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

// answer is a reply to a flow: TCP flags, or the UDP payload.
type answer struct {
	flags   byte
	payload []byte
}

// answerIn parses a packet from its IP header on, and reports whether it belongs to this flow. The
// source address isn't compared: with some data paths it is still the backend's.
func (f flow) answerIn(packet []byte) (a answer, is bool) {
	inner, to, protocol, ok := unpack(packet)
	if !ok || protocol != f.protocol || to != f.from.Addr() || len(inner) < 8 || binary.BigEndian.Uint16(inner[2:]) != f.from.Port() {
		return a, false
	}
	if protocol == udp {
		return answer{payload: inner[8:]}, true
	}
	if len(inner) < 20 || binary.BigEndian.Uint32(inner[8:]) != f.firstSegment+1 {
		return a, false
	}
	return answer{flags: inner[13]}, inner[13]&(syn|rst) != 0
}

func unpack(packet []byte) (inner []byte, to netip.Addr, protocol byte, ok bool) {
	switch {
	case len(packet) >= 20 && packet[0]>>4 == 4:
		header := int(packet[0]&0x0f) * 4
		if header < 20 || len(packet) < header {
			return nil, to, 0, false
		}
		return packet[header:], netip.AddrFrom4([4]byte(packet[16:20])), packet[9], true
	case len(packet) >= 40 && packet[0]>>4 == 6:
		return packet[40:], netip.AddrFrom16([16]byte(packet[24:40])), packet[6], true
	}
	return nil, to, 0, false
}
