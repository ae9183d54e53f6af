package stability

import "net/netip"

// flows are where a router sends each, by the client's end.
type flows map[netip.AddrPort]netip.Addr

// tally compares flows before a change and after it. Those that are still there are in
// left; who is told besides what clients say of themselves, because only of few breaks
// they say whose they were.
func tally(before, after flows, left map[netip.AddrPort]bool, replica netip.Addr, broken int) Tally {
	t := Tally{All: len(before), Broken: broken}
	for end, via := range before {
		now := after[end]
		switch {
		case via == replica || now == replica && via != now:
			t.Own++
			continue
		case via != now:
			t.Moved++
		}
		if !left[end] {
			t.Strange++
		}
	}
	return t
}
