package replica

import (
	"encoding/binary"
	"slices"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/checksum"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

const (
	linkHeader = 14
	tcpHeader  = 20
	flagRST    = 4
	flagACK    = 16
	window     = 500 // shifted by the scale of a replica's answers
)

// tcpSegment is where the parts of a frame are.
type tcpSegment struct {
	ip, tcp, data, end int
	number             uint32
}

// segmentOf finds a TCP segment in a frame without IP options.
func segmentOf(frame []byte) (s tcpSegment, ok bool) {
	if len(frame) < linkHeader+20+tcpHeader {
		return s, false
	}
	s.ip = linkHeader
	switch ip := frame[s.ip:]; {
	case ip[0] == 0x45 && ip[9] == 6:
		s.tcp, s.end = s.ip+20, s.ip+int(binary.BigEndian.Uint16(ip[2:]))
	case ip[0]>>4 == 6 && ip[6] == 6:
		s.tcp, s.end = s.ip+40, s.ip+40+int(binary.BigEndian.Uint16(ip[4:]))
	default:
		return s, false
	}
	if s.end > len(frame) || s.tcp+tcpHeader > s.end {
		return s, false
	}
	s.data = s.tcp + int(frame[s.tcp+12]>>4)*4
	s.number = binary.BigEndian.Uint32(frame[s.tcp+4:])
	return s, s.data >= s.tcp+tcpHeader && s.data <= s.end
}

// withData returns a copy of a segment with other data.
func withData(frame []byte, s tcpSegment, data []byte) []byte {
	out := slices.Concat(frame[:s.data], data)
	ip := out[s.ip:]
	if ip[0]>>4 == 4 {
		binary.BigEndian.PutUint16(ip[2:], uint16(len(ip)))
		ip[10], ip[11] = 0, 0
		binary.BigEndian.PutUint16(ip[10:], ^checksum.Ones(ip[:20], 0))
	} else {
		binary.BigEndian.PutUint16(ip[4:], uint16(len(ip)-40))
	}
	checksum.Write(out)
	return out
}

// acknowledgement returns the answer to a segment that acknowledges the stream up to a
// number. A client that sends the start of its hello again sends no more before that.
func acknowledgement(frame []byte, s tcpSegment, upTo uint32) []byte {
	out := withData(frame, s, nil)
	tcp := turn(out, s)
	copy(tcp[4:], frame[s.tcp+8:s.tcp+12])
	binary.BigEndian.PutUint32(tcp[8:], upTo)
	tcp[13] = flagACK
	binary.BigEndian.PutUint16(tcp[14:], window)
	if options := tcp[tcpHeader:]; len(options) >= 12 && options[0] == 1 && options[1] == 1 && options[2] == 8 {
		value := [4]byte(options[4:])
		copy(options[4:], options[8:12]) // what we would send next isn't known: the same again
		copy(options[8:], value[:])
	}
	checksum.Write(out)
	return out
}

// reset returns the answer that ends a connection without a backend.
func reset(q *program.SessionSessionQuestion) []byte {
	client, service := program.FromAddress(q.Key.Client), program.FromAddress(q.Key.Service)
	out := slices.Concat(q.Link[:])
	s := tcpSegment{ip: linkHeader}
	var ip []byte
	if client.Is4() {
		ip = make([]byte, 20, 20+tcpHeader)
		ip[0], ip[8], ip[9] = 0x45, 64, 6
		copy(ip[12:], client.AsSlice())
		copy(ip[16:], service.AsSlice())
		out = append(out, 8, 0)
		s.tcp = linkHeader + 20
	} else {
		ip = make([]byte, 40, 40+tcpHeader)
		ip[0], ip[6], ip[7] = 0x60, 6, 64
		copy(ip[8:], client.AsSlice())
		copy(ip[24:], service.AsSlice())
		out = append(out, 0x86, 0xdd)
		s.tcp = linkHeader + 40
	}
	tcp := make([]byte, tcpHeader)
	binary.NativeEndian.PutUint16(tcp[0:], q.Key.ClientPort)
	binary.NativeEndian.PutUint16(tcp[2:], q.Key.ServicePort)
	tcp[12], tcp[13] = tcpHeader/4<<4, flagRST
	out = slices.Concat(out, ip, tcp)
	s.data = len(out)
	out = withData(out, s, nil)
	binary.BigEndian.PutUint32(turn(out, s)[4:], q.Ack)
	checksum.Write(out)
	return out
}

// turn swaps the addresses and ports of a frame, and returns its TCP header.
func turn(frame []byte, s tcpSegment) []byte {
	swap := func(at, size int) {
		one := slices.Clone(frame[at : at+size])
		copy(frame[at:], frame[at+size:at+2*size])
		copy(frame[at+size:], one)
	}
	swap(0, 6)
	if frame[s.ip]>>4 == 4 {
		swap(s.ip+12, 4)
	} else {
		swap(s.ip+8, 16)
	}
	swap(s.tcp, 2)
	return frame[s.tcp:]
}
