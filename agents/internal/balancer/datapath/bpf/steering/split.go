package steering

import (
	"encoding/binary"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/checksum"
)

const (
	ethernet = 14
	tcpMost  = 60 // bytes of a header
	fin      = 1
	push     = 8
)

// split divides a TCP segment that the kernel had merged into those that its sender sent,
// with this many bytes each. Another frame stays whole.
func split(frame []byte, most int) (frames [][]byte) {
	headers, is := headersOf(frame)
	if !is || most <= 0 || len(frame)-headers <= most {
		checksum.Finish(frame)
		return [][]byte{frame}
	}
	for from := headers; from < len(frame); from += most {
		to := min(from+most, len(frame))
		one := append(append(make([]byte, 0, headers+most), frame[:headers]...), frame[from:to]...)
		rewrite(one, from-headers, len(frames), to == len(frame))
		frames = append(frames, one)
	}
	return frames
}

// headersOf returns the length of a frame's headers, if it is TCP without options of IP.
func headersOf(frame []byte) (length int, is bool) {
	if len(frame) < ethernet+40 {
		return 0, false
	}
	tcp := 0
	switch ip := frame[ethernet:]; {
	case ip[0] == 0x45 && ip[9] == unix.IPPROTO_TCP:
		tcp = ethernet + 20
	case ip[0]>>4 == 6 && ip[6] == unix.IPPROTO_TCP && len(frame) >= ethernet+60:
		tcp = ethernet + 40
	default:
		return 0, false
	}
	header := int(frame[tcp+12]>>4) * 4
	return tcp + header, header >= 20 && header <= tcpMost && tcp+header <= len(frame)
}

// rewrite makes a copy of the headers those of a part: at is its offset in the data, and
// number counts the parts before.
func rewrite(frame []byte, at, number int, last bool) {
	ip := frame[ethernet:]
	tcp := ip[40:]
	if ip[0]>>4 == 4 {
		tcp = ip[20:]
		binary.BigEndian.PutUint16(ip[2:], uint16(len(ip)))
		binary.BigEndian.PutUint16(ip[4:], binary.BigEndian.Uint16(ip[4:])+uint16(number))
		ip[10], ip[11] = 0, 0
		binary.BigEndian.PutUint16(ip[10:], ^checksum.Ones(ip[:20], 0))
	} else {
		binary.BigEndian.PutUint16(ip[4:], uint16(len(ip)-40))
	}
	binary.BigEndian.PutUint32(tcp[4:], binary.BigEndian.Uint32(tcp[4:])+uint32(at))
	if !last {
		tcp[13] &^= fin | push
	}
	checksum.Write(frame)
}
