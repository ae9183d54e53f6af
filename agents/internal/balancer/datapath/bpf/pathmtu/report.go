package pathmtu

import (
	"encoding/binary"
	"net/netip"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// ICMP messages of routers about packets that are too big for their next link.
const (
	icmpUnreachable, icmpTooBig = 3, 4 // type and code
	icmp6TooBig                 = 2
	headerIPv4, headerIPv6      = 20, 40
	headerICMP                  = 8
	guePort                     = 6080
	protocolIPIP, protocolIPv6  = 4, 41
	protocolUDP                 = 17
	// Lower values aren't accepted from anyone: every network carries at least this much.
	leastMTU4, leastMTU6 = 576, 1280
)

// Report is a path with a smaller MTU than its first link, as a message reports it. Messages
// can come from anywhere.
type Report struct {
	From, To netip.Addr
	MTU      uint16
	quoted   []byte // the start of the packet that didn't fit, from its IP header on
	layer4   []byte // of quoted
}

// readIPv4 parses a message as a raw socket returns it: with the IPv4 header.
func readIPv4(message []byte) (n Report, ok bool) {
	if len(message) < headerIPv4 {
		return n, false
	}
	size := int(message[0]&0xf) * 4
	if size < headerIPv4 || len(message) < size+headerICMP {
		return n, false
	}
	message = message[size:]
	quoted := message[headerICMP:]
	if message[0] != icmpUnreachable || message[1] != icmpTooBig || len(quoted) < headerIPv4 || quoted[0]>>4 != 4 {
		return n, false
	}
	inner := int(quoted[0]&0xf) * 4
	if inner < headerIPv4 || len(quoted) < inner || !isTunnel(quoted[9], protocolIPIP, quoted[inner:]) {
		return n, false
	}
	n.From, n.To = netip.AddrFrom4([4]byte(quoted[12:16])), netip.AddrFrom4([4]byte(quoted[16:20]))
	n.quoted, n.layer4 = quoted, quoted[inner:]
	n.MTU = max(binary.BigEndian.Uint16(message[6:]), leastMTU4)
	return n, true
}

// readIPv6 parses a message as a raw socket returns it: without the IPv6 header.
func readIPv6(message []byte) (n Report, ok bool) {
	if len(message) < headerICMP+headerIPv6 || message[0] != icmp6TooBig {
		return n, false
	}
	quoted := message[headerICMP:]
	if quoted[0]>>4 != 6 || !isTunnel(quoted[6], protocolIPv6, quoted[headerIPv6:]) {
		return n, false
	}
	n.From, n.To = netip.AddrFrom16([16]byte(quoted[8:24])), netip.AddrFrom16([16]byte(quoted[24:40]))
	n.quoted, n.layer4 = quoted, quoted[headerIPv6:]
	n.MTU = uint16(min(max(binary.BigEndian.Uint32(message[4:]), leastMTU6), 65535))
	return n, true
}

// isTunnel is true for packets that only this engine sends: IP in IP, or GUE.
func isTunnel(protocol, inIP uint8, layer4 []byte) bool {
	return protocol == inIP || protocol == protocolUDP && len(layer4) >= 4 && binary.BigEndian.Uint16(layer4[2:]) == guePort
}

// PortOf returns the source port that a probe of a tunnel needs to take the path of the
// rejected packet; false if a tunnel of this delivery never sent that packet.
func (n Report) PortOf(delivery program.TcxDelivery) (port uint16, ok bool) {
	if delivery != program.TcxDeliveryGUE {
		return 0, true
	}
	if len(n.layer4) >= 2 {
		port = binary.BigEndian.Uint16(n.layer4)
	}
	return port, port >= gueFlows
}
