package fib_test

import (
	"net/netip"
	"slices"
	"strings"
	"testing"

	"fairlead.dev/agents/internal/fib"
	"fairlead.dev/agents/internal/netspace"
)

var services = netip.MustParsePrefix("203.0.113.0/24")

func TestWhatAProcessLeftIsGoneOnWith(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after bool // resilient
	}{
		{"resilient as before", true, true},
		{"plain as before", false, false},
		{"resilient, was plain", false, true},
		{"plain, was resilient", true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			space := newRouter(t, "10.9.0.1/24")
			before, gone := mustOpen(t, space, c.before), netip.MustParsePrefix("203.0.113.7/32")
			must(t, before.Set(services, hops(2, 3)), before.Set(gone, hops(4)))

			table := mustOpen(t, space, c.after)
			if got := table.Prefixes(); !slices.Equal(got, []netip.Prefix{services, gone}) {
				t.Fatalf("found were %v", got)
			}
			if !isRouted(t, space, services) || !isRouted(t, space, gone) {
				t.Fatal("opening took routes away")
			}
			must(t, table.Set(services, hops(2, 3)), table.Keep([]netip.Prefix{services}))
			if got, err := table.Observe(services); err != nil || !slices.Equal(got, addresses(2, 3)) {
				t.Errorf("the kernel has %v, %v", got, err)
			}
			if isRouted(t, space, gone) {
				t.Error("a route stays that nobody wants")
			}
			if objects := run(t, space, "ip", "nexthop"); strings.Count(objects, "\n") != 3 || strings.Contains(objects, "type resilient") != c.after {
				t.Errorf("of two hops and a group there are:\n%s", objects)
			}
			must(t, table.Keep(nil))
			if objects := run(t, space, "ip", "nexthop"); objects != "" {
				t.Errorf("left behind is:\n%s", objects)
			}
		})
	}
}

func TestWhatAProcessLeftGoesWhenNobodyWantsIt(t *testing.T) {
	space := newRouter(t, "10.9.0.1/24")
	must(t, mustOpen(t, space, false).Set(services, hops(2, 3)))
	table := mustOpen(t, space, true)
	must(t, table.Set(services, nil), table.Keep(nil))
	if objects := run(t, space, "ip", "nexthop"); objects != "" || isRouted(t, space, services) {
		t.Errorf("left behind is:\n%s", objects)
	}
}

func TestWhatIsOthersStays(t *testing.T) {
	space := newRouter(t, "10.9.0.1/24")
	for _, id := range []string{"1", "3"} { // the numbers that we would take
		run(t, space, "ip", "nexthop", "add", "id", id, "via", "10.9.0.77", "dev", "lan")
	}
	run(t, space, "ip", "route", "add", services.String(), "via", "10.9.0.77", "proto", "static")
	run(t, space, "ip", "route", "add", "203.0.113.9/32", "nhid", "1", "proto", "static")
	before := run(t, space, "ip", "-d", "route") + run(t, space, "ip", "nexthop")

	table := mustOpen(t, space, true)
	if got := table.Prefixes(); len(got) > 0 {
		t.Errorf("%v were taken over", got)
	}
	if err := table.Set(services, hops(2)); err == nil || !strings.Contains(err.Error(), "another program has a route") {
		t.Errorf("a foreign route was replaced: %v", err)
	}
	must(t, table.Set(netip.MustParsePrefix("203.0.113.8/32"), hops(2)))
	must(t, table.Keep(nil))
	if after := run(t, space, "ip", "-d", "route") + run(t, space, "ip", "nexthop"); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
}

func TestItIsBesideOthersByItsMetric(t *testing.T) {
	space := newRouter(t, "10.9.0.1/24")
	run(t, space, "ip", "route", "add", services.String(), "via", "10.9.0.77", "proto", "static", "metric", "200")
	table, err := fib.Open(fib.Options{Name: space.Name, Inside: space.Do, Owner: owner, Metric: 20})
	must(t, err, table.Set(services, hops(2)))
	if got := run(t, space, "ip", "route", "get", "203.0.113.1"); !strings.Contains(got, "10.9.0.2") {
		t.Errorf("it goes by %s", got)
	}
	must(t, table.Keep(nil))
	if got := run(t, space, "ip", "route", "get", "203.0.113.1"); !strings.Contains(got, "10.9.0.77") {
		t.Errorf("it goes by %s", got)
	}
}

func TestRoutesThatAreNeverWritten(t *testing.T) {
	space := newRouter(t, "10.9.0.1/24")
	table, err := fib.Open(fib.Options{Inside: space.Do, Owner: owner, Allows: []netip.Prefix{services}})
	must(t, err)
	for prefix, says := range map[string]string{
		"0.0.0.0/0": "default route", "198.51.100.0/24": "outside", "203.0.112.0/23": "outside", "203.0.113.5/32": "",
	} {
		err := table.Set(netip.MustParsePrefix(prefix), hops(2))
		if says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("%s: %v, want %q", prefix, err, says)
		}
	}
}

func TestHopsThatCantBeReachedAreLeftOutAndTold(t *testing.T) {
	space := newRouter(t, "10.9.0.1/24")
	run(t, space, "ip", "route", "add", "default", "via", "10.9.0.99")
	run(t, space, "ip", "route", "add", "10.10.0.0/24", "via", "10.9.0.5")
	table := mustOpen(t, space, true)
	behind, nowhere := netip.MustParseAddr("10.10.0.8"), netip.MustParseAddr("192.0.2.1")
	err := table.Set(services, append(hops(2), fib.Hop{Via: behind, Weight: 1}, fib.Hop{Via: nowhere, Weight: 1}))
	if err == nil || !strings.Contains(err.Error(), "no way to 192.0.2.1 but the default route") {
		t.Errorf("error %v", err)
	}
	if got, err := table.Observe(services); err != nil || !slices.Equal(got, append(addresses(2), behind)) {
		t.Errorf("the kernel has %v, %v", got, err)
	}
	if objects := run(t, space, "ip", "nexthop"); !strings.Contains(objects, "via 10.9.0.5") {
		t.Errorf("the hop behind a gateway isn't there:\n%s", objects)
	}
	if err := table.Set(services, []fib.Hop{{Via: nowhere, Weight: 1}}); err == nil || isRouted(t, space, services) {
		t.Errorf("with no hop that can be reached it is routed: %t, %v", isRouted(t, space, services), err)
	}
	// One of our own routes is no way to a hop of another.
	must(t, table.Set(netip.MustParsePrefix("198.51.100.0/24"), hops(2)))
	err = table.Set(services, []fib.Hop{{Via: netip.MustParseAddr("198.51.100.1"), Weight: 1}})
	if err == nil || !strings.Contains(err.Error(), "one of our own routes") {
		t.Errorf("error %v", err)
	}
}

func mustOpen(t *testing.T, space *netspace.Space, resilient bool) *fib.Table {
	t.Helper()
	table, err := open(space, resilient)
	must(t, err)
	return table
}

func hops(last ...byte) (hops []fib.Hop) {
	for _, via := range addresses(last...) {
		hops = append(hops, fib.Hop{Via: via, Weight: 1})
	}
	return hops
}

func addresses(last ...byte) (addresses []netip.Addr) {
	for _, n := range last {
		addresses = append(addresses, netip.AddrFrom4([4]byte{10, 9, 0, n}))
	}
	return addresses
}

func run(t *testing.T, space *netspace.Space, name string, arguments ...string) string {
	t.Helper()
	out, err := space.Run(t.Context(), name, arguments...)
	must(t, err)
	return out
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	for i, err := range errs {
		if err != nil {
			t.Fatalf("step %d: %v", i+1, err)
		}
	}
}
