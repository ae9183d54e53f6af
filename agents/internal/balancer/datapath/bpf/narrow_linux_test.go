package bpf

import (
	"encoding/binary"
	"net/netip"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
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
		read    func([]byte) (narrow, bool)
		message []byte
		want    uint16 // 0: ignored
	}{
		{"IPIP", readNarrow4, tooBig4(1400, ourIPv4, backends4[0], protocolIPIP), 1400},
		{"GUE", readNarrow4, tooBig4(1400, ourIPv4, backends4[0], protocolUDP, gue...), 1400},
		{"IPv6 in IPv6", readNarrow6, tooBig6(1400, ourIPv6, backends6[0], protocolIPv6), 1400},
		{"GUE by IPv6", readNarrow6, tooBig6(1400, ourIPv6, backends6[0], protocolUDP, gue...), 1400},
		{"less than any network carries", readNarrow4, tooBig4(68, ourIPv4, backends4[0], protocolIPIP), leastMTU4},
		{"less than any network of IPv6 carries", readNarrow6, tooBig6(0, ourIPv6, backends6[0], protocolIPv6), leastMTU6},
		{"more than a length can hold", readNarrow6, tooBig6(1<<31, ourIPv6, backends6[0], protocolIPv6), 65535},
		{"another UDP", readNarrow4, tooBig4(1400, ourIPv4, backends4[0], protocolUDP, 0, 53, 0, 53), 0},
		{"UDP without ports", readNarrow4, tooBig4(1400, ourIPv4, backends4[0], protocolUDP), 0},
		{"TCP", readNarrow6, tooBig6(1400, ourIPv6, backends6[0], 6), 0},
		{"cut off", readNarrow4, tooBig4(1400, ourIPv4, backends4[0], protocolIPIP)[:47], 0},
		{"cut off, of IPv6", readNarrow6, tooBig6(1400, ourIPv6, backends6[0], protocolIPv6)[:47], 0},
		{"nothing", readNarrow4, nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := c.read(c.message)
			if ok != (c.want != 0) || got.mtu != c.want && ok {
				t.Errorf("%+v, %v; want %d", got, ok, c.want)
			}
		})
	}
}

func FuzzRouterMessages(f *testing.F) {
	f.Add(tooBig4(1400, ourIPv4, backends4[0], protocolIPIP))
	f.Add(tooBig6(1400, ourIPv6, backends6[0], protocolUDP, 0xc0, 0, guePort>>8, guePort&0xff))
	f.Fuzz(func(t *testing.T, message []byte) {
		if n, ok := readNarrow4(message); ok && (n.mtu < leastMTU4 || !n.to.Is4()) {
			t.Errorf("%+v", n)
		}
		if n, ok := readNarrow6(message); ok && (n.mtu < leastMTU6 || n.to.Is4()) {
			t.Errorf("%+v", n)
		}
	})
}

func TestAPathMTUIsUsedForAWhile(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	tunnel := newService(service4, 80, datapath.TCP, datapath.Tunnel)
	set(t, e, tunnel, newService(service4.Next(), 80, datapath.TCP, datapath.Direct))
	widths := func(delivery TcxDelivery) (of [2]uint16) {
		for slot, b := range e.model.slots {
			var entry backendEntry
			must(t, e.maps[TcxMapBackends].Lookup(uint32(slot), &entry))
			for i, address := range backends4 {
				if entry.Delivery == uint8(delivery) && fromAddress(b.entry.Address) == address {
					of[i] = entry.Mtu
				}
			}
		}
		return of
	}
	expect := func(when string, want ...uint16) {
		t.Helper()
		if got := widths(TcxDeliveryTUNNEL); got != [2]uint16(want) {
			t.Errorf("%s: the ways carry %v, want %v", when, got, want)
		}
		if got := widths(TcxDeliveryDIRECT); got != [2]uint16{1500, 1500} {
			t.Errorf("%s: what isn't in a tunnel carries %v", when, got)
		}
	}
	expect("at first", 1500, 1500)
	e.narrowed(narrow{from: backends4[1], to: backends4[0], mtu: 1000})
	expect("after a message about another host's packet", 1500, 1500)
	e.narrowed(narrow{from: ourIPv4, to: backends4[0], mtu: 1400})
	expect("after a message", 1400, 1500)
	e.narrowed(narrow{from: ourIPv4, to: backends4[0], mtu: 1450})
	expect("after a message with a larger size", 1400, 1500)
	tunnel.Backends[1].Weight = 7
	set(t, e, tunnel, newService(service4.Next(), 80, datapath.TCP, datapath.Direct))
	expect("after a change", 1400, 1500)
	known := e.network.narrow[backends4[0]]
	known.until = time.Now()
	e.network.narrow[backends4[0]] = known
	_, err := e.Observe(t.Context())
	must(t, err)
	expect("after a while", 1500, 1500)
}
