package stability

import (
	"net/netip"
	"testing"
)

func TestOnlyFlowsThatHaveToMoveAreTheReplicasOwn(t *testing.T) {
	one, two, three := netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("10.0.0.2"), netip.MustParseAddr("10.0.0.3")
	end := func(port uint16) netip.AddrPort {
		return netip.AddrPortFrom(netip.MustParseAddr("198.18.1.2"), port)
	}
	whole := flows{end(1): one, end(2): two, end(3): three, end(4): three}
	all := map[netip.AddrPort]bool{end(1): true, end(2): true, end(3): true, end(4): true}
	for _, test := range []struct {
		name          string
		before, after flows
		left          map[netip.AddrPort]bool
		replica       netip.Addr
		broken        int
		want          Tally
	}{
		{"one is removed and no other moves", whole, flows{end(1): one, end(2): one, end(3): three, end(4): three}, all, two, 0, Tally{All: 4, Own: 1}},
		{"one is removed and its own break", whole, flows{end(1): one, end(2): one, end(3): three, end(4): three},
			map[netip.AddrPort]bool{end(1): true, end(3): true, end(4): true}, two, 1, Tally{All: 4, Own: 1, Broken: 1}},
		{"another's move too, and break", whole, flows{end(1): three, end(2): one, end(3): three, end(4): three},
			map[netip.AddrPort]bool{end(2): true, end(3): true, end(4): true}, two, 1, Tally{All: 4, Own: 1, Moved: 1, Broken: 1, Strange: 1}},
		{"one breaks that didn't move", whole, whole, map[netip.AddrPort]bool{end(1): true, end(2): true, end(3): true}, two, 1,
			Tally{All: 4, Own: 1, Broken: 1, Strange: 1}},
		{"one is added and takes some over", flows{end(1): one, end(2): two, end(3): one}, flows{end(1): one, end(2): three, end(3): two},
			map[netip.AddrPort]bool{end(1): true, end(2): true}, three, 1, Tally{All: 3, Own: 1, Moved: 1, Broken: 1, Strange: 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := tally(test.before, test.after, test.left, test.replica, test.broken); got != test.want {
				t.Errorf("%+v, want %+v", got, test.want)
			}
		})
	}
}
