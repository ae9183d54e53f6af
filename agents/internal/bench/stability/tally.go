package stability

import "net/netip"

// flows are a router's next hops, by the client's end.
type flows map[netip.AddrPort]netip.Addr

// tally compares flows before and after a change. Left has the flows that still exist; broken is the clients'
// own count, because clients name the flow only for few of the breaks.
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
