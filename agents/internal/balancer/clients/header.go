package clients

import (
	"encoding/binary"
	"net/netip"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// header is what the headers of a packet contain.
type header struct {
	client  netip.Addr
	service datapath.Key // its port is 0 for a later fragment, which has none
	size    int          // of all headers, from IP on
}

// IPv6 extension headers, by their protocol number.
const (
	hopByHop, routing, fragmentHeader, destinationOptions = 0, 43, 44, 60

	extensionsMost = 4 // as the engines read
)

// parse returns false for a packet that is no TCP or UDP, or isn't readable up to its ports.
func parse(packet []byte) (header, bool) {
	if len(packet) == 0 {
		return header{}, false
	}
	switch packet[0] >> 4 {
	case 4:
		return parse4(packet)
	case 6:
		return parse6(packet)
	}
	return header{}, false
}

func parse4(packet []byte) (header, bool) {
	const least, offsetBits = 20, 0x1fff
	if len(packet) < least {
		return header{}, false
	}
	size := int(packet[0]&0x0f) * 4
	if size < least {
		return header{}, false
	}
	h := header{client: netip.AddrFrom4([4]byte(packet[12:])), size: size}
	h.service.Address = netip.AddrFrom4([4]byte(packet[16:]))
	isLater := binary.BigEndian.Uint16(packet[6:])&offsetBits != 0
	return h.withLayer4(packet, packet[9], isLater)
}

func parse6(packet []byte) (header, bool) {
	const fixed, offsetBits = 40, 0xfff8
	if len(packet) < fixed {
		return header{}, false
	}
	h := header{client: netip.AddrFrom16([16]byte(packet[8:])), size: fixed}
	h.service.Address = netip.AddrFrom16([16]byte(packet[24:]))
	next, isLater := packet[6], false
	for range extensionsMost {
		if next != hopByHop && next != routing && next != destinationOptions && next != fragmentHeader || isLater {
			break
		}
		if len(packet) < h.size+8 {
			return header{}, false
		}
		extension := packet[h.size:]
		length := (int(extension[1]) + 1) * 8
		if next == fragmentHeader {
			length, isLater = 8, binary.BigEndian.Uint16(extension[2:])&offsetBits != 0
		}
		next = extension[0]
		h.size += length
	}
	return h.withLayer4(packet, next, isLater)
}

// withLayer4 adds the protocol, and the port if this is not a later fragment.
func (h header) withLayer4(packet []byte, protocol byte, isLater bool) (header, bool) {
	const tcpLeast, udpSize = 20, 8
	h.service.Protocol = datapath.Protocol(protocol)
	if h.service.Protocol != datapath.TCP && h.service.Protocol != datapath.UDP {
		return header{}, false
	}
	if isLater {
		return h, true
	}
	if len(packet) < h.size+udpSize {
		return header{}, false
	}
	layer4 := packet[h.size:]
	h.service.Port = binary.BigEndian.Uint16(layer4[2:])
	h.size += udpSize
	if h.service.Protocol == datapath.TCP {
		if len(layer4) < tcpLeast {
			return header{}, false
		}
		h.size += max(tcpLeast, int(layer4[12]>>4)*4) - udpSize
	}
	return h, h.service.Port != 0
}

// segments returns how many packets were on the wire.
func (p Packet) segments(h header) float64 {
	payload := p.Length - p.Link - h.size
	if p.Merged <= 0 || payload <= p.Merged {
		return 1
	}
	return float64((payload + p.Merged - 1) / p.Merged)
}

// networkOf returns the network that a client is counted to.
func networkOf(client netip.Addr) netip.Prefix {
	const bits4, bits6 = 24, 48
	bits := bits6
	if client.Is4() {
		bits = bits4
	}
	return netip.PrefixFrom(client, bits).Masked()
}
