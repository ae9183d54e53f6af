package gobgp

import (
	"net/netip"
	"testing"

	"github.com/osrg/gobgp/v4/pkg/apiutil"

	"fairlead.dev/agents/internal/bgp"
)

// crowd is a table of so many prefixes with so many routes to each, half of them best ones.
func crowd(t testing.TB, prefixes, routes int) *table {
	t.Helper()
	whole := newTable()
	whole.begin(true)
	whole.filter([]netip.Prefix{netip.MustParsePrefix("0.0.0.0/0")})
	for peer := range routes {
		from := netip.AddrFrom4([4]byte{10, 0, byte(peer >> 8), byte(peer)})
		paths := make([]*apiutil.Path, prefixes)
		for i := range paths {
			prefix := netip.PrefixFrom(netip.AddrFrom4([4]byte{198, 51, byte(i >> 8), byte(i)}), 32)
			path, err := pathOf(bgp.Offer{Prefix: prefix, NextHop: from})
			if err != nil {
				t.Fatal(err)
			}
			path.PeerAddress, paths[i] = from, path
		}
		whole.offered(paths)
		if peer%2 == 0 {
			whole.chosen(paths)
		}
	}
	return whole
}

func TestPagesHoldEveryRouteOnceHoweverTheyAreCut(t *testing.T) {
	whole := crowd(t, 7, 9)
	for most := 1; most <= 70; most++ {
		seen, query := map[bgp.Place]bool{}, bgp.Query{Most: most}
		for {
			page, err := whole.read(query)
			if err != nil || len(page.Routes) > most || page.Known != 63 {
				t.Fatalf("%d routes, %d known, %v", len(page.Routes), page.Known, err)
			}
			for _, route := range page.Routes {
				place := bgp.PlaceOf(route)
				if seen[place] || place.Compare(query.After) <= 0 {
					t.Fatalf("%v comes again, or out of order", place)
				}
				seen[place], query.After = true, place
			}
			if page.Next == (bgp.Place{}) {
				break
			}
		}
		if len(seen) != 63 {
			t.Fatalf("with %d on a page there were %d routes", most, len(seen))
		}
	}
}

// gobgp without multipath tells of the new best route alone.
func TestOneBestRouteTakesThePlaceOfAnother(t *testing.T) {
	whole := crowd(t, 1, 2)
	whole.begin(false)
	first, second := best(t, whole), netip.AddrFrom4([4]byte{10, 0, 0, 1})
	path, err := pathOf(bgp.Offer{Prefix: netip.MustParsePrefix("198.51.0.0/32"), NextHop: second})
	if err != nil {
		t.Fatal(err)
	}
	path.PeerAddress = second
	whole.chosen([]*apiutil.Path{path})
	if now := best(t, whole); now != second || first == second {
		t.Errorf("the best went from %s to %s", first, now)
	}
	path.Withdrawal = true
	whole.chosen([]*apiutil.Path{path})
	if now := best(t, whole); now.IsValid() {
		t.Errorf("%s is still a best one", now)
	}
}

// best is who offers the only best route; not valid when there is none.
func best(t *testing.T, whole *table) (from netip.Addr) {
	t.Helper()
	page, err := whole.read(bgp.Query{})
	if err != nil {
		t.Fatal(err)
	}
	for _, route := range page.Routes {
		if route.Best && from.IsValid() {
			t.Errorf("%s and %s are best ones", from, route.From)
		}
		if route.Best {
			from = route.From
		}
	}
	return from
}

func BenchmarkPageOfAHundredThousand(b *testing.B) {
	for name, query := range map[string]bgp.Query{
		"covers": {Covers: netip.MustParseAddr("198.51.1.2")}, "first": {}, "last": {After: bgp.Place{Prefix: netip.MustParsePrefix("198.51.3.200/32")}},
	} {
		whole := crowd(b, 1000, 100)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := whole.read(query); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
