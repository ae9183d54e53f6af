package clients

import (
	"encoding/binary"
	"net/netip"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
)

var (
	client4  = netip.MustParseAddr("203.0.113.77")
	client6  = netip.MustParseAddr("2001:db8:1:2::77")
	service4 = netip.MustParseAddr("192.0.2.1")
	service6 = netip.MustParseAddr("2001:db8::1")
)

// segment returns TCP with a header of 32 bytes, datagram UDP; both to port 80.
func segment() []byte {
	tcp := make([]byte, 32)
	binary.BigEndian.PutUint16(tcp[2:], 80)
	tcp[12] = 8 << 4
	return tcp
}

func datagram() []byte {
	udp := make([]byte, 8)
	binary.BigEndian.PutUint16(udp[2:], 80)
	return udp
}

func packet4(protocol byte, options int, fragment uint16, inner []byte) []byte {
	ip := make([]byte, 20+options)
	ip[0], ip[9] = 4<<4|byte(len(ip)/4), protocol
	binary.BigEndian.PutUint16(ip[6:], fragment)
	copy(ip[12:], client4.AsSlice())
	copy(ip[16:], service4.AsSlice())
	return append(ip, inner...)
}

// packet6 has extensions, each with the protocol number of what follows it.
func packet6(next byte, extensions []byte, inner []byte) []byte {
	ip := make([]byte, 40)
	ip[0], ip[6] = 6<<4, next
	copy(ip[8:], client6.AsSlice())
	copy(ip[24:], service6.AsSlice())
	return append(append(ip, extensions...), inner...)
}

func TestHeadersOfAllKindsOfPackets(t *testing.T) {
	const tcp, udp, icmp, more = 6, 17, 1, 0x2000
	key := func(address netip.Addr, port uint16, protocol datapath.Protocol) datapath.Key {
		return datapath.Key{Address: address, Port: port, Protocol: protocol}
	}
	extension := func(next byte, eights byte) []byte {
		return append([]byte{next, eights}, make([]byte, 6+8*int(eights))...)
	}
	fragment := func(next byte, offset uint16) []byte {
		e := extension(next, 0)
		binary.BigEndian.PutUint16(e[2:], offset<<3|1)
		return e
	}
	var five []byte
	for range 4 {
		five = append(five, extension(destinationOptions, 0)...)
	}
	five = append(five, extension(udp, 0)...)
	for _, test := range []struct {
		name   string
		packet []byte
		want   header
		is     bool
	}{
		{"IPv4 TCP", packet4(tcp, 0, 0, segment()), header{client4, key(service4, 80, datapath.TCP), 52}, true},
		{"IPv4 UDP", packet4(udp, 0, 0, datagram()), header{client4, key(service4, 80, datapath.UDP), 28}, true},
		{"IPv4 with options", packet4(udp, 12, 0, datagram()), header{client4, key(service4, 80, datapath.UDP), 40}, true},
		{"first fragment", packet4(udp, 0, more, datagram()), header{client4, key(service4, 80, datapath.UDP), 28}, true},
		{"later fragment", packet4(udp, 0, more|185, nil), header{client4, key(service4, 0, datapath.UDP), 20}, true},
		{"IPv6 TCP", packet6(tcp, nil, segment()), header{client6, key(service6, 80, datapath.TCP), 72}, true},
		{"IPv6 with extension headers", packet6(hopByHop, append(extension(routing, 2), extension(udp, 0)...), datagram()), header{client6, key(service6, 80, datapath.UDP), 80}, true},
		{"IPv6 first fragment", packet6(fragmentHeader, fragment(udp, 0), datagram()), header{client6, key(service6, 80, datapath.UDP), 56}, true},
		{"IPv6 later fragment", packet6(fragmentHeader, fragment(udp, 180), nil), header{client6, key(service6, 0, datapath.UDP), 48}, true},
		{"IPv6 with five extension headers", packet6(destinationOptions, five, datagram()), header{}, false},
		{"IPv6 extension that is cut off", packet6(hopByHop, extension(udp, 9)[:7], nil), header{}, false},
		{"IPv6 extension that is longer than the packet", packet6(hopByHop, extension(udp, 9)[:16], nil), header{}, false},
		{"ICMP", packet4(icmp, 0, 0, make([]byte, 64)), header{}, false},
		{"TCP that is cut off", packet4(tcp, 0, 0, segment()[:19]), header{}, false},
		{"UDP that is cut off", packet4(udp, 0, 0, datagram()[:7]), header{}, false},
		{"port 0", packet4(tcp, 0, 0, make([]byte, 20)), header{}, false},
		{"IPv4 with an invalid header length", append([]byte{0x44}, packet4(udp, 0, 0, datagram())[1:]...), header{}, false},
		{"IPv4 that is cut off", packet4(udp, 0, 0, nil)[:19], header{}, false},
		{"IPv6 that is cut off", packet6(udp, nil, nil)[:39], header{}, false},
		{"another version", append([]byte{0x50}, make([]byte, 60)...), header{}, false},
		{"nothing", nil, header{}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, is := parse(test.packet)
			if is != test.is || is && got != test.want {
				t.Errorf("got %+v, %v, want %+v, %v", got, is, test.want, test.is)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add(packet4(6, 0, 0, segment()))
	f.Add(packet6(hopByHop, []byte{17, 0, 0, 0, 0, 0, 0, 0}, datagram()))
	f.Add(packet6(fragmentHeader, []byte{17, 0, 0, 9, 0, 0, 0, 0}, nil))
	f.Fuzz(func(t *testing.T, packet []byte) {
		h, is := parse(packet)
		if !is {
			return
		}
		if !h.client.IsValid() || h.client.Is4() != h.service.Address.Is4() || h.size < 20 {
			t.Errorf("%x: %+v", packet, h)
		}
		if n := (Packet{Data: packet, Length: 70_000, Link: 14, Merged: 1}).segments(h); n < 1 || n > 70_000 {
			t.Errorf("%x: %v segments", packet, n)
		}
	})
}

func TestMergedSegmentsAreCountedOneByOne(t *testing.T) {
	h := header{size: 52}
	for _, test := range []struct {
		name   string
		packet Packet
		want   float64
	}{
		{"one segment", Packet{Length: 14 + 52 + 1448, Link: 14}, 1},
		{"three full ones", Packet{Length: 14 + 52 + 3*1448, Link: 14, Merged: 1448}, 3},
		{"three, the last not full", Packet{Length: 14 + 52 + 2*1448 + 1, Link: 14, Merged: 1448}, 3},
		{"without payload", Packet{Length: 14 + 52, Link: 14, Merged: 1448}, 1},
		{"shorter than its headers", Packet{Length: 20, Link: 14, Merged: 1}, 1},
	} {
		if got := test.packet.segments(h); got != test.want {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}

func TestClientsAreCountedByNetwork(t *testing.T) {
	for client, want := range map[string]string{"203.0.113.77": "203.0.113.0/24", "2001:db8:1:2::77": "2001:db8:1::/48"} {
		if got := networkOf(netip.MustParseAddr(client)); got.String() != want {
			t.Errorf("%s: got %s, want %s", client, got, want)
		}
	}
}
