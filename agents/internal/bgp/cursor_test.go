package bgp_test

import (
	"net/netip"
	"testing"

	"fairlead.dev/agents/internal/bgp"
)

func TestParseCursorReadsWhatStringWrote(t *testing.T) {
	prefix, peer := netip.MustParsePrefix("203.0.113.7/32"), netip.MustParseAddr("fe80::1%eth0")
	for _, place := range []bgp.Cursor{
		{}, {Prefix: prefix}, {Prefix: prefix, Rest: true, From: peer, PathID: 1<<32 - 1},
		{Prefix: netip.MustParsePrefix("2001:db8::/64"), Hop: netip.MustParseAddr("10.0.0.1")},
	} {
		if again, err := bgp.ParseCursor(place.String()); err != nil || again != place {
			t.Errorf("%q parsed as %+v, %v", place, again, err)
		}
	}
	for _, text := range []string{"x", "203.0.113.7/32", "203.0.113.7/32,2,,,0", "203.0.113.7/32,0,,peer,0", "203.0.113.7/32,0,,,-1", "/,0,,,0"} {
		if place, err := bgp.ParseCursor(text); err == nil {
			t.Errorf("%q parsed as %+v", text, place)
		}
	}
}
