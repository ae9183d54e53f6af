package fib_test

import (
	"fmt"
	"net/netip"
	"os"
	"slices"
	"strings"
	"testing"

	"fairlead.dev/agents/internal/fib"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/privileged"
)

func TestAPrefixHasExactlyTheHopsThatWereSet(t *testing.T) {
	for _, family := range []struct {
		name, own, to, a, b, c string
		resilient              bool
	}{
		{"IPv4", "10.9.0.1/24", "203.0.113.0/24", "10.9.0.2", "10.9.0.3", "10.9.0.4", true},
		{"IPv6", "fd00:9::1/64", "2001:db8:113::/64", "fd00:9::2", "fd00:9::3", "fd00:9::4", true},
		{"IPv4, plain", "10.9.0.1/24", "203.0.113.0/24", "10.9.0.2", "10.9.0.3", "10.9.0.4", false},
	} {
		t.Run(family.name, func(t *testing.T) {
			space := newRouter(t, family.own)
			table, err := open(space, family.resilient)
			if err != nil {
				t.Fatal(err)
			}
			to := netip.MustParsePrefix(family.to)
			for _, step := range []struct {
				name string
				hops []string
			}{
				{"one", []string{family.a}},
				{"a second", []string{family.b, family.a}},
				{"the same again", []string{family.a, family.b}},
				{"another instead of the first", []string{family.b, family.c}},
				{"none", nil},
				{"back again", []string{family.a, family.b, family.c}},
			} {
				var hops []fib.Hop
				var want []netip.Addr
				for _, via := range step.hops {
					hops = append(hops, fib.Hop{Via: netip.MustParseAddr(via), Weight: 1})
					want = append(want, netip.MustParseAddr(via))
				}
				slices.SortFunc(want, netip.Addr.Compare)
				if err := table.Set(to, hops); err != nil {
					t.Fatalf("%s: %v", step.name, err)
				}
				got, err := table.Observe(to)
				if err != nil || !slices.Equal(got, want) {
					t.Fatalf("%s: the kernel has %v, %v; want %v", step.name, got, err, want)
				}
				if table.Resilient() != family.resilient {
					t.Fatalf("%s: resilient is %t", step.name, table.Resilient())
				}
				if routed := isRouted(t, space, to); routed != (len(want) > 0) {
					t.Fatalf("%s: routed is %t", step.name, routed)
				}
			}
		})
	}
}

func TestOtherPrefixesLoseTheirRoutes(t *testing.T) {
	ofBoth(t, func(t *testing.T, f family) {
		space := f.router(t)
		table := mustOpen(t, space, true)
		whole, one, two := f.services, f.host(7), f.host(8)
		for to, hops := range map[netip.Prefix][]fib.Hop{whole: f.hops(2, 3), one: f.hops(2), two: f.hops(4)} {
			must(t, table.Set(to, hops))
		}
		if got := table.Prefixes(); !slices.Equal(got, []netip.Prefix{whole, one, two}) {
			t.Fatalf("prefixes: %v", got)
		}
		must(t, table.Keep([]netip.Prefix{whole, one}))
		if !isRouted(t, space, whole) || !isRouted(t, space, one) || isRouted(t, space, two) {
			t.Errorf("routed: %v %t, %v %t, %v %t", whole, isRouted(t, space, whole), one, isRouted(t, space, one), two, isRouted(t, space, two))
		}
		must(t, table.Set(two, f.hops(4, 2)))
		if got, err := table.Observe(two); err != nil || len(got) != 2 {
			t.Errorf("back again: the kernel has %v, %v", got, err)
		}
	})
}

// The purpose of resilient groups: removing one of three hops moves no flows of the others.
func TestFlowsOfOtherHopsDoNotMove(t *testing.T) {
	ofBoth(t, func(t *testing.T, f family) {
		space := f.router(t)
		table := mustOpen(t, space, true)
		must(t, table.Set(f.services, f.hops(2, 3, 4)))
		if !table.Resilient() {
			t.Fatal("this kernel has no resilient groups, which came with Linux 5.13")
		}
		before := routesOfManyFlows(t, space, f)
		must(t, table.Set(f.services, f.hops(2, 4)))
		after, goes, moved := routesOfManyFlows(t, space, f), f.at(f.links[0], 3), 0
		for flow, via := range before {
			if via != goes && after[flow] != via {
				t.Errorf("flow %d moved from %s to %s", flow, via, after[flow])
			}
			if via == goes {
				moved++
			}
		}
		if moved == 0 {
			t.Fatal("no flow used the removed hop")
		}
	})
}

// An interface that was down has lost its next hops, without a notification.
func TestDroppedObjectsAreCreatedAgain(t *testing.T) {
	ofBoth(t, func(t *testing.T, f family) {
		space := f.router(t)
		keepAddresses(t, space)
		table := mustOpen(t, space, true)
		set := func() error { return table.Set(f.services, f.hops(2)) }
		must(t, set(), space.Down("lan"))
		if got, err := table.Observe(f.services); err != nil || len(got) > 0 {
			t.Fatalf("the kernel kept %v, %v", got, err)
		}
		table.Check()
		if err := set(); err == nil {
			t.Error("a route over an interface that is down")
		}
		must(t, space.Up("lan"))
		table.Check()
		must(t, set())
		if got, err := table.Observe(f.services); err != nil || !slices.Equal(got, f.addresses(2)) || !isRouted(t, space, f.services) {
			t.Fatalf("the kernel has %v, %v", got, err)
		}
	})
}

// keepAddresses makes IPv6 behave like IPv4 when a link goes down.
func keepAddresses(t *testing.T, space *netspace.Space) {
	t.Helper()
	must(t, space.SetSysctl("net/ipv6/conf/all/keep_addr_on_down", "1"))
}

// routesOfManyFlows returns the kernel's next hop for each of many flows, by port.
func routesOfManyFlows(t *testing.T, space *netspace.Space, f family) map[int]netip.Addr {
	t.Helper()
	routes := map[int]netip.Addr{}
	for port := 20000; port < 20200; port++ {
		out := f.ip(t, space, "-o route get %s from %s1 ipproto tcp sport %d dport 80", f.host(7).Addr(), f.links[0], port)
		words := strings.Fields(out)
		via := slices.Index(words, "via")
		if via < 0 || via+1 == len(words) {
			t.Fatalf("routed via %q", out)
		}
		routes[port] = netip.MustParseAddr(words[via+1])
	}
	return routes
}

func isRouted(t *testing.T, space *netspace.Space, to netip.Prefix) bool {
	t.Helper()
	routes, err := space.Links().RouteList(nil, map[bool]int{true: 2, false: 10}[to.Addr().Is4()])
	if err != nil {
		t.Fatal(err)
	}
	for _, route := range routes {
		if route.Dst != nil && route.Dst.String() == to.String() {
			return true
		}
	}
	return false
}

// owner marks the objects of these tests.
const owner = 217

func open(space *netspace.Space, resilient bool) (*fib.Table, error) {
	return fib.Open(fib.Options{Name: space.Name, Inside: space.Do, Owner: owner, Resilient: resilient})
}

func newRouter(t *testing.T, own string) *netspace.Space {
	t.Helper()
	privileged.Need(t)
	space, err := netspace.New(fmt.Sprintf("fltest-%d-router", os.Getpid()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := space.Delete(); err != nil {
			t.Error(err)
		}
	})
	for _, step := range []error{
		space.AddBridge("lan"),
		space.AddAddress("lan", netip.MustParsePrefix(own)),
		space.SetSysctls(map[string]string{
			"net/ipv4/fib_multipath_hash_policy": "1", "net/ipv6/fib_multipath_hash_policy": "1",
			"net/ipv4/conf/all/ignore_routes_with_linkdown": "0",
		}),
	} {
		if step != nil {
			t.Fatal(step)
		}
	}
	return space
}
