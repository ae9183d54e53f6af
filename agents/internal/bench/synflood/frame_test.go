package synflood

import (
	"bytes"
	"net"
	"net/netip"
	"testing"

	"fairlead.dev/agents/internal/rawip"
)

func TestEachSYNIsAValidPacketOfItsOwnSender(t *testing.T) {
	target := netip.MustParseAddrPort("192.0.2.1:443")
	f := newFrame(Options{From: net.HardwareAddr{2, 0, 0, 0, 0, 1}, To: net.HardwareAddr{2, 0, 0, 0, 0, 2}, Target: target})
	if len(f) != frameBytes || !bytes.Equal(f[:ip], []byte{2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 8, 0}) {
		t.Fatalf("% x", []byte(f))
	}
	seen := map[netip.AddrPort]bool{}
	for _, number := range []uint64{0, 1, 255, 65_535, 65_536, 131_071, 131_072, 262_143, 262_144, 5_000_000, 7_864_319_999} {
		f.number(number)
		address, _ := netip.AddrFromSlice(f[ipSource : ipSource+4])
		from := netip.AddrPortFrom(address, uint16(f[tcp])<<8|uint16(f[tcp+1]))
		if seen[from] || !Sources.Contains(address) || from.Port() < firstPort {
			t.Errorf("SYN %d is from %s", number, from)
		}
		seen[from] = true
		want := rawip.Flow{From: from, To: target, Protocol: rawip.TCP}.Segment(uint32(number), rawip.SYN)
		if !bytes.Equal(f[ip:], want) {
			t.Errorf("SYN %d: % x, want % x", number, []byte(f[ip:]), want)
		}
	}
}
