package replica

import (
	"encoding/binary"
	"net/netip"
	"slices"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/checksum"
	"fairlead.dev/agents/internal/session/cookie"
)

const (
	flagFIN = 1
	flagSYN = 2
)

// frameOf returns a TCP segment to a replica.
func frameOf(of cookie.Connection, number, acknowledged uint32, flags byte, options, data []byte) []byte {
	tcp := make([]byte, tcpHeader)
	binary.BigEndian.PutUint16(tcp, of.Client.Port())
	binary.BigEndian.PutUint16(tcp[2:], of.Service.Port())
	binary.BigEndian.PutUint32(tcp[4:], number)
	binary.BigEndian.PutUint32(tcp[8:], acknowledged)
	tcp[12], tcp[13] = byte(tcpHeader+len(options))/4<<4, flags
	binary.BigEndian.PutUint16(tcp[14:], 64000)
	ethernet := slices.Concat(ours, router)
	var ip []byte
	if of.Client.Addr().Is4() {
		ip, ethernet = make([]byte, 20), append(ethernet, 8, 0)
		ip[0], ip[8], ip[9] = 0x45, 64, 6
		copy(ip[12:], of.Client.Addr().AsSlice())
		copy(ip[16:], of.Service.Addr().AsSlice())
	} else {
		ip, ethernet = make([]byte, 40), append(ethernet, 0x86, 0xdd)
		ip[0], ip[6], ip[7] = 0x60, 6, 64
		copy(ip[8:], of.Client.Addr().AsSlice())
		copy(ip[24:], of.Service.Addr().AsSlice())
	}
	frame := slices.Concat(ethernet, ip, tcp, options)
	s := tcpSegment{ip: linkHeader, tcp: linkHeader + len(ip), data: len(frame)}
	return withData(frame, s, data)
}

var (
	ours   = []byte{2, 0, 0, 0, 0, 1}
	router = []byte{2, 0, 0, 0, 0, 2}

	connection4 = cookie.Connection{Client: netip.MustParseAddrPort("198.51.100.7:40000"), Service: netip.MustParseAddrPort("192.0.2.1:443")}
	connection6 = cookie.Connection{Client: netip.MustParseAddrPort("[2001:db8:c::7]:40000"), Service: netip.MustParseAddrPort("[2001:db8::1]:443")}
)

// isSound reports whether a frame's checksums are right.
func isSound(frame []byte) bool {
	whole := slices.Clone(frame)
	checksum.Write(whole)
	return slices.Equal(whole, frame) && (frame[linkHeader]>>4 == 6 || checksum.Ones(frame[linkHeader:linkHeader+20], 0) == 0xffff)
}
