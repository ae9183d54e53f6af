package steering

import (
	"encoding/binary"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/checksum"
)

const (
	ethernet = 14
	tcpLeast = 20 // bytes of a header
	udpBytes = 8
	fin      = 1
	push     = 8
)

// headers are where in a frame the header of TCP or UDP begins and ends.
type headers struct {
	transport, end int
	protocol       byte
}

// split divides a packet that the kernel had merged into the TCP segments or UDP datagrams
// that its sender sent, with this many bytes each. Another frame stays whole.
func split(frame []byte, most int) (frames [][]byte) {
	h, is := headersOf(frame)
	if !is || most <= 0 || len(frame)-h.end <= most {
		checksum.Finish(frame)
		return [][]byte{frame}
	}
	for from := h.end; from < len(frame); from += most {
		to := min(from+most, len(frame))
		one := append(append(make([]byte, 0, h.end+most), frame[:h.end]...), frame[from:to]...)
		rewriteIP(one, len(frames))
		if transport := one[h.transport:]; h.protocol == unix.IPPROTO_TCP {
			rewriteTCP(transport, from-h.end, to == len(frame))
		} else {
			binary.BigEndian.PutUint16(transport[4:], uint16(len(transport)))
		}
		checksum.Write(one)
		frames = append(frames, one)
	}
	return frames
}

// headersOf returns the headers of TCP or UDP, without options of IP.
func headersOf(frame []byte) (h headers, is bool) {
	if len(frame) < ethernet+20+udpBytes {
		return h, false
	}
	switch ip := frame[ethernet:]; {
	case ip[0] == 0x45:
		h.transport, h.protocol = ethernet+20, ip[9]
	case ip[0]>>4 == 6:
		h.transport, h.protocol = ethernet+40, ip[6]
	default:
		return h, false
	}
	switch h.protocol {
	case unix.IPPROTO_UDP:
		h.end = h.transport + udpBytes
		return h, h.end <= len(frame)
	case unix.IPPROTO_TCP:
		if h.transport+tcpLeast > len(frame) {
			return h, false
		}
		size := int(frame[h.transport+12]>>4) * 4
		h.end = h.transport + size
		return h, size >= tcpLeast && h.end <= len(frame)
	}
	return h, false
}

// rewriteIP makes a copy of the IP header that of a part; number counts the parts before.
func rewriteIP(frame []byte, number int) {
	ip := frame[ethernet:]
	if ip[0]>>4 == 6 {
		binary.BigEndian.PutUint16(ip[4:], uint16(len(ip)-40))
		return
	}
	binary.BigEndian.PutUint16(ip[2:], uint16(len(ip)))
	binary.BigEndian.PutUint16(ip[4:], binary.BigEndian.Uint16(ip[4:])+uint16(number))
	ip[10], ip[11] = 0, 0
	binary.BigEndian.PutUint16(ip[10:], ^checksum.Ones(ip[:20], 0))
}

// rewriteTCP does the same for the TCP header of the part at this offset in the data.
func rewriteTCP(tcp []byte, at int, last bool) {
	binary.BigEndian.PutUint32(tcp[4:], binary.BigEndian.Uint32(tcp[4:])+uint32(at))
	if !last {
		tcp[13] &^= fin | push
	}
}
