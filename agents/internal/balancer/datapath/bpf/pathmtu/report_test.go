package pathmtu

import (
	"encoding/binary"
	"net/netip"
	"testing"
)

var (
	replica4, replica6 = netip.MustParseAddr("10.9.0.1"), netip.MustParseAddr("fd00::1")
	backend4, backend6 = netip.MustParseAddr("10.9.0.11"), netip.MustParseAddr("fd00::11")
)

// tooBig4 is a router's message about an outer packet, as a raw socket returns it.
func tooBig4(mtu uint16, from, to netip.Addr, protocol byte, layer4 ...byte) []byte {
	quoted := make([]byte, headerIPv4, headerIPv4+len(layer4))
	quoted[0], quoted[9] = 0x45, protocol
	copy(quoted[12:], from.AsSlice())
	copy(quoted[16:], to.AsSlice())
	message := make([]byte, headerIPv4+headerICMP)
	message[0] = 0x45
	message[headerIPv4], message[headerIPv4+1] = icmpUnreachable, icmpTooBig
	binary.BigEndian.PutUint16(message[headerIPv4+6:], mtu)
	return append(append(message, quoted...), layer4...)
}

func tooBig6(mtu uint32, from, to netip.Addr, protocol byte, layer4 ...byte) []byte {
	message := make([]byte, headerICMP+headerIPv6)
	message[0] = icmp6TooBig
	binary.BigEndian.PutUint32(message[4:], mtu)
	quoted := message[headerICMP:]
	quoted[0], quoted[6] = 0x60, protocol
	copy(quoted[8:], from.AsSlice())
	copy(quoted[24:], to.AsSlice())
	return append(message, layer4...)
}

func TestRoutersMessagesAboutTunnelsAreParsed(t *testing.T) {
	gue := []byte{0xc0, 0, guePort >> 8, guePort & 0xff, 0, 0, 0, 0}
	for _, c := range []struct {
		name    string
		read    func([]byte) (Report, bool)
		message []byte
		want    uint16 // 0: ignored
	}{
		{"IPIP", readIPv4, tooBig4(1400, replica4, backend4, protocolIPIP), 1400},
		{"GUE", readIPv4, tooBig4(1400, replica4, backend4, protocolUDP, gue...), 1400},
		{"IPv6 in IPv6", readIPv6, tooBig6(1400, replica6, backend6, protocolIPv6), 1400},
		{"GUE by IPv6", readIPv6, tooBig6(1400, replica6, backend6, protocolUDP, gue...), 1400},
		{"less than any network carries", readIPv4, tooBig4(68, replica4, backend4, protocolIPIP), leastMTU4},
		{"less than any network of IPv6 carries", readIPv6, tooBig6(0, replica6, backend6, protocolIPv6), leastMTU6},
		{"more than a length can hold", readIPv6, tooBig6(1<<31, replica6, backend6, protocolIPv6), 65535},
		{"another UDP", readIPv4, tooBig4(1400, replica4, backend4, protocolUDP, 0, 53, 0, 53), 0},
		{"UDP without ports", readIPv4, tooBig4(1400, replica4, backend4, protocolUDP), 0},
		{"TCP", readIPv6, tooBig6(1400, replica6, backend6, 6), 0},
		{"cut off", readIPv4, tooBig4(1400, replica4, backend4, protocolIPIP)[:47], 0},
		{"cut off, of IPv6", readIPv6, tooBig6(1400, replica6, backend6, protocolIPv6)[:47], 0},
		{"nothing", readIPv4, nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := c.read(c.message)
			if ok != (c.want != 0) || got.MTU != c.want && ok {
				t.Errorf("%+v, %v; want %d", got, ok, c.want)
			}
		})
	}
}

func FuzzRouterMessages(f *testing.F) {
	f.Add(tooBig4(1400, replica4, backend4, protocolIPIP))
	f.Add(tooBig6(1400, replica6, backend6, protocolUDP, 0xc0, 0, guePort>>8, guePort&0xff))
	f.Fuzz(func(t *testing.T, message []byte) {
		if n, ok := readIPv4(message); ok && (n.MTU < leastMTU4 || !n.To.Is4()) {
			t.Errorf("%+v", n)
		}
		if n, ok := readIPv6(message); ok && (n.MTU < leastMTU6 || n.To.Is4()) {
			t.Errorf("%+v", n)
		}
	})
}
