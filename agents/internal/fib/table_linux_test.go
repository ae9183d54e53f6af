package fib_test

import (
	"fmt"
	"net/netip"
	"os"
	"slices"
	"testing"

	"fairlead.dev/agents/internal/fib"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/privileged"
)

func TestAPrefixGoesByExactlyTheHopsThatWereSet(t *testing.T) {
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
	space := newRouter(t, "10.9.0.1/24")
	table, err := open(space, true)
	if err != nil {
		t.Fatal(err)
	}
	whole, one, two := netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("203.0.113.7/32"), netip.MustParsePrefix("203.0.113.8/32")
	hop := func(last byte) fib.Hop {
		return fib.Hop{Via: netip.AddrFrom4([4]byte{10, 9, 0, last}), Weight: 1}
	}
	for to, hops := range map[netip.Prefix][]fib.Hop{whole: {hop(2), hop(3)}, one: {hop(2)}, two: {hop(4)}} {
		if err := table.Set(to, hops); err != nil {
			t.Fatal(err)
		}
	}
	if got := table.Prefixes(); !slices.Equal(got, []netip.Prefix{whole, one, two}) {
		t.Fatalf("set are %v", got)
	}
	if err := table.Keep([]netip.Prefix{whole, one}); err != nil {
		t.Fatal(err)
	}
	if !isRouted(t, space, whole) || !isRouted(t, space, one) || isRouted(t, space, two) {
		t.Errorf("routed: %v %t, %v %t, %v %t", whole, isRouted(t, space, whole), one, isRouted(t, space, one), two, isRouted(t, space, two))
	}
	if err := table.Set(two, []fib.Hop{hop(4), hop(2)}); err != nil {
		t.Fatalf("back again: %v", err)
	}
	if got, err := table.Observe(two); err != nil || len(got) != 2 {
		t.Errorf("back again: the kernel has %v, %v", got, err)
	}
}

// What resilient groups are for: taking one of three away moves nothing of the others.
func TestFlowsOfTheHopsThatStayDontMove(t *testing.T) {
	space := newRouter(t, "10.9.0.1/24")
	table, err := open(space, true)
	if err != nil {
		t.Fatal(err)
	}
	to := netip.MustParsePrefix("203.0.113.0/24")
	hop := func(last int) fib.Hop {
		return fib.Hop{Via: netip.MustParseAddr(fmt.Sprintf("10.9.0.%d", last)), Weight: 1}
	}
	if err := table.Set(to, []fib.Hop{hop(2), hop(3), hop(4)}); err != nil {
		t.Fatal(err)
	}
	if !table.Resilient() {
		t.Fatal("this kernel has no resilient groups, which came with Linux 5.13")
	}
	before := routesOfManyFlows(t, space)
	if err := table.Set(to, []fib.Hop{hop(2), hop(4)}); err != nil {
		t.Fatal(err)
	}
	after := routesOfManyFlows(t, space)
	moved := 0
	for flow, via := range before {
		if via != "10.9.0.3" && after[flow] != via {
			t.Errorf("%s went by %s and now by %s", flow, via, after[flow])
		}
		if via == "10.9.0.3" {
			moved++
		}
	}
	if moved == 0 {
		t.Fatal("no flow ever went by the hop that was taken away")
	}
}

// An interface that was down has lost its next hops, and nobody says so.
func TestWhatTheKernelDroppedIsMadeAnew(t *testing.T) {
	space := newRouter(t, "10.9.0.1/24")
	table, err := open(space, true)
	if err != nil {
		t.Fatal(err)
	}
	to, via := netip.MustParsePrefix("203.0.113.0/24"), netip.MustParseAddr("10.9.0.2")
	set := func() error { return table.Set(to, []fib.Hop{{Via: via, Weight: 1}}) }
	if err := set(); err != nil {
		t.Fatal(err)
	}
	if err := space.Down("lan"); err != nil {
		t.Fatal(err)
	}
	if got, err := table.Observe(to); err != nil || len(got) > 0 {
		t.Fatalf("the kernel kept %v, %v", got, err)
	}
	table.Check()
	if err := set(); err == nil {
		t.Error("a route by an interface that is down")
	}
	if err := space.Up("lan"); err != nil {
		t.Fatal(err)
	}
	table.Check()
	if err := set(); err != nil {
		t.Fatal(err)
	}
	if got, err := table.Observe(to); err != nil || !slices.Equal(got, []netip.Addr{via}) || !isRouted(t, space, to) {
		t.Fatalf("the kernel has %v, %v", got, err)
	}
}

// routesOfManyFlows asks the kernel which way each of some flows goes.
func routesOfManyFlows(t *testing.T, space *netspace.Space) map[string]string {
	t.Helper()
	routes := map[string]string{}
	for port := range 200 {
		flow := fmt.Sprintf("203.0.113.7 from 10.9.0.1 ipproto tcp sport %d dport 80", 20000+port)
		out, err := space.Run(t.Context(), "ip", "-o", "route", "get", "203.0.113.7", "from", "10.9.0.1",
			"ipproto", "tcp", "sport", fmt.Sprint(20000+port), "dport", "80")
		if err != nil {
			t.Fatal(err)
		}
		var via string
		if _, err := fmt.Sscanf(out, "203.0.113.7 from 10.9.0.1 via %s", &via); err != nil {
			t.Fatalf("%q: %v", out, err)
		}
		routes[flow] = via
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

// owner marks what tables of these tests write.
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
