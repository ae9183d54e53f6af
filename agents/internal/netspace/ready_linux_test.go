package netspace_test

import (
	"fmt"
	"net/netip"
	"slices"
	"testing"

	"github.com/vishvananda/netlink"

	"fairlead.dev/agents/internal/netspace"
)

// A test that compares a namespace before and after needs it to be complete from the start.
func TestAConnectedInterfaceIsCompleteAtOnce(t *testing.T) {
	a, b := newSpace(t, "a"), newSpace(t, "b")
	if err := a.AddBridge("lan"); err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		name := fmt.Sprintf("link%d", i)
		far := netspace.End{Space: b, Interface: name, Addresses: []netip.Prefix{
			netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 9, byte(i), 1}), 24),
			netip.PrefixFrom(netip.AddrFrom16([16]byte{0xfd, 9, 15: byte(i + 1)}), 128),
		}}
		if err := netspace.Connect(netspace.End{Space: a, Interface: name, Bridge: "lan"}, far); err != nil {
			t.Fatal(err)
		}
		for _, space := range []*netspace.Space{a, b} {
			want := "up, with its queue and an address in fe80::/64 that has its route"
			if got := look(t, space, name); got != want {
				t.Fatalf("%s of %s is %s, want %s", name, space.Name, got, want)
			}
		}
	}
}

// look describes an interface.
func look(t *testing.T, space *netspace.Space, name string) string {
	t.Helper()
	links := space.Links()
	// First what the kernel adds last.
	routes, err := links.RouteListFiltered(netlink.FAMILY_V6, &netlink.Route{Table: 255}, netlink.RT_FILTER_TABLE)
	if err != nil {
		t.Fatal(err)
	}
	link, err := links.LinkByName(name)
	if err != nil {
		t.Fatal(err)
	}
	addresses, err := links.AddrList(link, netlink.FAMILY_V6)
	if err != nil {
		t.Fatal(err)
	}
	queues, err := links.QdiscList(link)
	if err != nil {
		t.Fatal(err)
	}
	isLocal := func(address netlink.Addr) bool { return address.IP.IsLinkLocalUnicast() }
	own := slices.IndexFunc(addresses, isLocal)
	switch {
	case link.Attrs().OperState != netlink.OperUp:
		return link.Attrs().OperState.String()
	case len(queues) == 0 || slices.ContainsFunc(queues, func(queue netlink.Qdisc) bool { return queue.Type() == "noop" }):
		return "without its queue"
	case own < 0:
		return "without an address of its own"
	case !slices.ContainsFunc(routes, func(route netlink.Route) bool { return route.Dst != nil && route.Dst.IP.Equal(addresses[own].IP) }):
		return "without the route of its address"
	}
	return "up, with its queue and an address in fe80::/64 that has its route"
}
