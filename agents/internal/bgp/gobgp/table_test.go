package gobgp

import (
	"net/netip"
	"testing"

	"github.com/osrg/gobgp/v4/pkg/apiutil"

	"fairlead.dev/agents/internal/bgp"
)

// largeTable is a table with routes to each prefix, half of them best routes.
func largeTable(t testing.TB, prefixes, routes int) *table {
	t.Helper()
	whole := newTable()
	whole.start(true)
	whole.setFilter([]netip.Prefix{netip.MustParsePrefix("0.0.0.0/0")})
	for peer := range routes {
		from := netip.AddrFrom4([4]byte{10, 0, byte(peer >> 8), byte(peer)})
		paths := make([]*apiutil.Path, prefixes)
		for i := range paths {
			prefix := netip.PrefixFrom(netip.AddrFrom4([4]byte{198, 51, byte(i >> 8), byte(i)}), 32)
			path, err := pathOf(bgp.Offer{Prefix: prefix, NextHop: from}, 65021)
			if err != nil {
				t.Fatal(err)
			}
			path.PeerAddress, paths[i] = from, path
		}
		whole.received(paths)
		if peer%2 == 0 {
			whole.setBest(paths)
		}
	}
	return whole
}

func TestPagesContainEveryRouteOnce(t *testing.T) {
	whole := largeTable(t, 7, 9)
	for most := 1; most <= 70; most++ {
		seen, query := map[bgp.Cursor]bool{}, bgp.Query{Limit: most}
		for {
			page, err := whole.read(query)
			if err != nil || len(page.Routes) > most || page.Total != 63 {
				t.Fatalf("%d routes of %d, %v", len(page.Routes), page.Total, err)
			}
			for _, route := range page.Routes {
				place := bgp.CursorOf(route)
				if seen[place] || place.Compare(query.After) <= 0 {
					t.Fatalf("%v is repeated or out of order", place)
				}
				seen[place], query.After = true, place
			}
			if page.Next == (bgp.Cursor{}) {
				break
			}
		}
		if len(seen) != 63 {
			t.Fatalf("pages of %d had %d routes", most, len(seen))
		}
	}
}

// Without multipath, gobgp reports only the new best route.
func TestANewBestRouteReplacesTheOld(t *testing.T) {
	whole := largeTable(t, 1, 2)
	whole.start(false)
	first, second := best(t, whole), netip.AddrFrom4([4]byte{10, 0, 0, 1})
	path, err := pathOf(bgp.Offer{Prefix: netip.MustParsePrefix("198.51.0.0/32"), NextHop: second}, 65021)
	if err != nil {
		t.Fatal(err)
	}
	path.PeerAddress = second
	whole.setBest([]*apiutil.Path{path})
	if now := best(t, whole); now != second || first == second {
		t.Errorf("the best route changed from %s to %s", first, now)
	}
	path.Withdrawal = true
	whole.setBest([]*apiutil.Path{path})
	if now := best(t, whole); now.IsValid() {
		t.Errorf("%s is still a best route", now)
	}
}

// best is the peer of the only best route; not valid when there is none.
func best(t *testing.T, whole *table) (from netip.Addr) {
	t.Helper()
	page, err := whole.read(bgp.Query{})
	if err != nil {
		t.Fatal(err)
	}
	for _, route := range page.Routes {
		if route.Best && from.IsValid() {
			t.Errorf("%s and %s are both best routes", from, route.From)
		}
		if route.Best {
			from = route.From
		}
	}
	return from
}

func BenchmarkPageOfAHundredThousand(b *testing.B) {
	for name, query := range map[string]bgp.Query{
		"covers": {Covers: netip.MustParseAddr("198.51.1.2")}, "first": {}, "last": {After: bgp.Cursor{Prefix: netip.MustParsePrefix("198.51.3.200/32")}},
	} {
		whole := largeTable(b, 1000, 100)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := whole.read(query); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
