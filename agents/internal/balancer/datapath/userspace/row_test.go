package userspace

import (
	"net/netip"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/maglev"
)

func TestClientsSpreadOverRows(t *testing.T) {
	key := datapath.Key{Address: netip.MustParseAddr("192.0.2.1"), Port: 80, Protocol: datapath.TCP}
	for _, test := range []struct {
		name string
		row  func(i int) int
	}{
		{"ports of one client", func(i int) int {
			return rowOf(key, netip.AddrPortFrom(netip.MustParseAddr("198.51.100.7"), uint16(i)))
		}},
		{"IPv4 addresses", func(i int) int {
			return rowOf(key, netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}), 5000))
		}},
		{"IPv6 addresses", func(i int) int {
			return rowOf(key, netip.AddrPortFrom(netip.AddrFrom16([16]byte{0: 0x20, 14: byte(i >> 8), 15: byte(i)}), 5000))
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			const clients, parts = 60_000, 10
			var counts [parts]int
			for i := range clients {
				counts[test.row(i)*parts/maglev.Rows]++
			}
			for part, count := range counts {
				if count < clients/parts*94/100 || count > clients/parts*106/100 {
					t.Errorf("part %d of the table has %d of %d clients", part, count, clients)
				}
			}
		})
	}
}
