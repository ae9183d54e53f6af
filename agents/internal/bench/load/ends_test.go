package load

import (
	"net/netip"
	"testing"
)

func TestSourcesAndAddressesAreIndependent(t *testing.T) {
	const count = 4000
	type pair struct {
		source  netip.Addr
		address netip.AddrPort
	}
	ends := newEnds(Options{
		Seed:      1,
		Sources:   []netip.Addr{netip.MustParseAddr("192.0.2.10"), netip.MustParseAddr("192.0.2.11")},
		Addresses: []netip.AddrPort{netip.MustParseAddrPort("192.0.2.1:80"), netip.MustParseAddrPort("192.0.2.2:80")},
	})
	pairs := map[pair]int{}
	for range count {
		source, address := ends.next()
		pairs[pair{source, address}]++
	}
	for each, times := range pairs {
		if times < count/5 || times > count*3/10 {
			t.Errorf("%v is used %d times of %d", each, times, count)
		}
	}
	if len(pairs) != 4 {
		t.Errorf("%d of 4 pairs are used", len(pairs))
	}
}

func TestReturnsReachEachAddressAlsoIfTheUsersAreAMultipleOfThem(t *testing.T) {
	o := optionsFor("http://shop.example/", plain(t, "127.0.0.1:0", "a", quick), plain(t, "127.0.0.1:0", "b", quick))
	o.Arrivals, o.Requests = Uniform, 1 // so slow and even that users have a fixed order
	s := run(t, o).Sessions
	if share := float64(s.SameBackend) / float64(s.Returns); s.Returns < 150 || share < 0.3 || share > 0.7 {
		t.Errorf("%d of %d returns reached the backend of before, want about half", s.SameBackend, s.Returns)
	}
}
