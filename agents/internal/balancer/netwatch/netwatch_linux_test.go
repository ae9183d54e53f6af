package netwatch_test

import (
	"fmt"
	"net"
	"net/netip"
	"os"
	"testing"
	"time"

	"github.com/vishvananda/netlink"

	"fairlead.dev/agents/internal/balancer/netwatch"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/privileged"
)

func TestChangesOfTheInterfaceAndOfRoutesAreReportedOnceAndNoOthers(t *testing.T) {
	privileged.Need(t)
	spaces := [2]*netspace.Space{}
	for i := range spaces {
		space, err := netspace.New(fmt.Sprintf("flwatch%d-%d", os.Getpid(), i))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = space.Delete() })
		spaces[i] = space
	}
	space, links := spaces[0], spaces[0].Links()
	must := func(errs ...error) {
		t.Helper()
		for _, err := range errs {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	add := func(name, address string) netlink.Link {
		t.Helper()
		must(netspace.Connect(netspace.End{Space: space, Interface: name, Addresses: []netip.Prefix{netip.MustParsePrefix(address)}},
			netspace.End{Space: spaces[1], Interface: name}))
		link, err := links.LinkByName(name)
		must(err)
		return link
	}
	own, other := add("eth0", "10.0.0.1/24"), add("eth1", "10.2.0.1/24")
	changes := make(chan netwatch.Change, 16)
	var watch netwatch.Watch
	must(space.Do(func() (err error) {
		watch, err = netwatch.Start("eth0", func(change netwatch.Change) { changes <- change })
		return err
	}))
	next := func() netwatch.Change {
		t.Helper()
		select {
		case change := <-changes:
			return change
		case <-time.After(5 * time.Second):
			t.Fatal("nothing was reported")
		}
		return netwatch.Change{}
	}
	mac := net.HardwareAddr{2, 0, 0, 0, 0, 9}
	for _, step := range []struct {
		name string
		do   func() error
		want func(netwatch.Change) bool
	}{
		{"another link address", func() error { return links.LinkSetHardwareAddr(own, mac) }, func(c netwatch.Change) bool { return c.Interface }},
		{"another MTU", func() error { return links.LinkSetMTU(own, 1400) }, func(c netwatch.Change) bool { return c.Interface }},
		{"one more address", func() error { return space.AddAddress("eth0", netip.MustParsePrefix("10.0.0.2/24")) }, func(c netwatch.Change) bool { return c.Interface }},
		{"a route", func() error {
			return space.AddRoute(netip.MustParsePrefix("10.9.0.0/24"), netip.MustParseAddr("10.0.0.9"))
		}, func(c netwatch.Change) bool { return c == netwatch.Change{Routes: true} }},
		// Of another interface nothing but the route of the address is reported.
		{"another interface", func() error {
			must(links.LinkSetHardwareAddr(other, mac))
			return space.AddAddress("eth1", netip.MustParsePrefix("10.1.0.1/24"))
		}, func(c netwatch.Change) bool { return c == netwatch.Change{Routes: true} }},
	} {
		must(step.do())
		if got := next(); !step.want(got) {
			t.Errorf("%s: reported is %+v", step.name, got)
		}
	}
	must(watch.Close(), watch.Err())
	if len(changes) > 0 {
		t.Errorf("also reported is %+v", <-changes)
	}
}
