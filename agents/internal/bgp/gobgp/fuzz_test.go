package gobgp

import (
	"net/netip"
	"slices"
	"testing"

	"github.com/osrg/gobgp/v4/pkg/apiutil"
	packet "github.com/osrg/gobgp/v4/pkg/packet/bgp"

	"fairlead.dev/agents/internal/bgp"
)

// FuzzUpdate feeds every update that gobgp can parse: none may panic, and no prefix outside the
// accepted ones may pass.
func FuzzUpdate(f *testing.F) {
	for _, update := range wellFormed(f) {
		f.Add(update)
		for _, cut := range []int{1, len(update) / 2, len(update) - 1} {
			f.Add(update[:cut])
		}
	}
	f.Add([]byte{0, 0, 0, 4, 0x40, 3, 0, 0, 24, 203, 0, 113})                           // a next hop of 0 bytes
	f.Add([]byte{0, 0, 0, 7, 0x40, 3, 4, 10, 0, 0, 1, 33, 203, 0, 113, 7, 0})           // a prefix length of 33
	f.Add([]byte{0, 0, 0, 12, 0x80, 14, 9, 0, 2, 1, 4, 10, 0, 0, 1, 0})                 // IPv6 with an IPv4 next hop
	f.Add([]byte{0, 0, 0, 10, 0x40, 2, 7, 2, 1, 0, 0, 0xfd, 0xfd, 0xfd, 0})             // a truncated AS path
	f.Add([]byte{0xff, 0xff, 0, 0, 0, 4, 0x40, 5, 4, 0, 0, 0, 100, 0, 8, 0xc0, 8, 252}) // lengths beyond the end
	accepts := []netip.Prefix{netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("2001:db8:113::/64")}
	peer := netip.MustParseAddr("10.0.0.1")
	f.Fuzz(func(t *testing.T, body []byte) {
		update := &packet.BGPUpdate{}
		if err := update.DecodeFromBytes(body, new(packet.MarshallingOption)); err != nil && update.NLRI == nil && update.PathAttributes == nil {
			return
		}
		refusals, claims := refusals{of: map[netip.Addr]map[receivedRoute]bool{}}, hopOwners{}
		refusals.begin(accepts)
		path := func(nlri packet.NLRI, withdrawn bool) *apiutil.Path {
			return &apiutil.Path{Nlri: nlri, Attrs: update.PathAttributes, PeerAddress: peer, PeerID: peer, Withdrawal: withdrawn}
		}
		var paths []*apiutil.Path
		for _, one := range update.WithdrawnRoutes {
			paths = append(paths, path(one.NLRI, true))
		}
		for _, one := range update.NLRI {
			paths = append(paths, path(one.NLRI, false))
		}
		for _, attribute := range update.PathAttributes {
			if reach, is := attribute.(*packet.PathAttributeMpReachNLRI); is {
				for _, one := range reach.Value {
					paths = append(paths, path(one.NLRI, false))
				}
			}
		}
		claims.update(paths)
		table := newTable()
		table.start(true)
		table.setFilter(accepts)
		table.received(paths)
		table.setBest(paths)
		page, err := table.read(bgp.Query{Limit: len(paths) + 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, route := range page.Routes {
			if route.Refused != !slices.ContainsFunc(accepts, func(one netip.Prefix) bool { return one.Overlaps(route.Prefix) && one.Bits() <= route.Prefix.Bits() }) {
				t.Errorf("%s: refused is %t", route.Prefix, route.Refused)
			}
		}
		fresh := map[netip.Prefix]bool{}
		for _, one := range refusals.update(paths) {
			fresh[one.prefix] = true
		}
		for _, path := range paths {
			prefix, is := prefixOf(path.Nlri)
			if !is {
				continue
			}
			inside := false
			for _, one := range accepts {
				inside = inside || one.Overlaps(prefix) && one.Bits() <= prefix.Bits()
			}
			if inside && fresh[prefix] || !inside && !path.Withdrawal && !fresh[prefix] {
				t.Errorf("%s: accepted prefix is %t, refused is %t", prefix, inside, fresh[prefix])
			}
		}
	})
}

func wellFormed(f *testing.F) (bodies [][]byte) {
	f.Helper()
	nlri, err := packet.NewIPAddrPrefix(netip.MustParsePrefix("203.0.113.7/32"))
	if err != nil {
		f.Fatal(err)
	}
	foreign, err := packet.NewIPAddrPrefix(netip.MustParsePrefix("198.51.100.0/24"))
	if err != nil {
		f.Fatal(err)
	}
	hop, err := packet.NewPathAttributeNextHop(netip.MustParseAddr("10.0.0.1"))
	if err != nil {
		f.Fatal(err)
	}
	attributes := []packet.PathAttributeInterface{
		packet.NewPathAttributeOrigin(0), packet.NewPathAttributeAsPath(nil), hop,
		packet.NewPathAttributeLocalPref(100), packet.NewPathAttributeCommunities([]uint32{65021<<16 | 100}),
	}
	for _, message := range []*packet.BGPMessage{
		packet.NewBGPUpdateMessage(nil, attributes, []packet.PathNLRI{{NLRI: nlri}, {NLRI: foreign}}),
		packet.NewBGPUpdateMessage([]packet.PathNLRI{{NLRI: nlri}}, nil, nil),
	} {
		body, err := message.Body.Serialize()
		if err != nil {
			f.Fatal(err)
		}
		bodies = append(bodies, body)
	}
	return bodies
}
