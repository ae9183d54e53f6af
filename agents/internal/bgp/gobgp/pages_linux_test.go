package gobgp_test

import (
	"net/netip"
	"testing"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/bgp/bgptest"
)

func TestPages(t *testing.T) {
	t.Parallel()
	lan := bgptest.NewLAN(t)
	speaker := bgptest.Start(t, lan.Add(t, "speaker"))
	desired := bgp.Desired{AS: bgptest.AS, RouterID: speaker.Host.IPv4}
	for i := range 25 {
		prefix := netip.PrefixFrom(netip.AddrFrom4([4]byte{203, 0, 113, byte(i)}), 32)
		desired.Offers = append(desired.Offers, bgp.Offer{Prefix: prefix, NextHop: speaker.Host.IPv4})
	}
	set(t, speaker, desired)
	var got []netip.Prefix
	query, pages := bgp.Query{Limit: 10}, 0
	for {
		page, err := speaker.Routes(query)
		if err != nil {
			t.Fatal(err)
		}
		if pages++; page.Total != 25 {
			t.Errorf("%d routes in total", page.Total)
		}
		for _, route := range page.Routes {
			got = append(got, route.Prefix)
		}
		if query.After = page.Next; page.Next == (bgp.Cursor{}) {
			break
		}
	}
	if pages != 3 || len(got) != 25 || got[24] != desired.Offers[24].Prefix {
		t.Errorf("%d pages: %v", pages, got)
	}
	for query, want := range map[string]int{"203.0.113.0/24": 0, "203.0.113.7/32": 1} {
		page, err := speaker.Routes(bgp.Query{Prefix: netip.MustParsePrefix(query)})
		if err != nil || len(page.Routes) != want {
			t.Errorf("%s: %+v, %v", query, page, err)
		}
	}
	page, err := speaker.Routes(bgp.Query{Prefix: netip.MustParsePrefix("203.0.113.8/29"), Longer: true})
	if err != nil || len(page.Routes) != 8 {
		t.Errorf("inside 203.0.113.8/29: %d, %v", len(page.Routes), err)
	}
	page, err = speaker.Routes(bgp.Query{Covers: netip.MustParseAddr("203.0.113.8")})
	if err != nil || len(page.Routes) != 1 || page.Routes[0].Prefix != desired.Offers[8].Prefix {
		t.Errorf("covering 203.0.113.8: %+v, %v", page, err)
	}
}
