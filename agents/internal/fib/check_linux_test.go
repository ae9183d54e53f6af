package fib_test

import (
	"fmt"
	"net/netip"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/netspace/netspacetest"
)

// newTwoLinks returns a router with two links, and the host at their other end.
func newTwoLinks(t *testing.T, f family) (router, other *netspace.Space) {
	t.Helper()
	router = newRouter(t, fmt.Sprintf("%s1/%d", f.links[2], f.bits))
	keepAddresses(t, router)
	other, err := netspace.New(fmt.Sprintf("fltest-%d-other", os.Getpid()))
	must(t, err)
	t.Cleanup(func() {
		if err := other.Delete(); err != nil {
			t.Error(err)
		}
	})
	for i := range 2 {
		must(t, netspace.Connect(
			netspace.End{Space: router, Interface: fmt.Sprintf("up%d", i), Addresses: []netip.Prefix{netip.PrefixFrom(f.at(f.links[i], 1), f.bits)}},
			netspace.End{Space: other, Interface: fmt.Sprintf("down%d", i)},
		))
	}
	return router, other
}

// When a link goes down, the kernel removes its next hops at once; those of another link are
// unaffected, then and when it is back.
func TestAFlappingLinkDoesNotAffectOthers(t *testing.T) {
	for _, c := range []struct {
		name       string
		down, back func(router, other *netspace.Space) error
	}{
		{"set down on the router", func(router, _ *netspace.Space) error { return router.Down("up1") }, func(router, _ *netspace.Space) error { return router.Up("up1") }},
		{"set down at the other end", func(_, other *netspace.Space) error { return other.Down("down1") }, func(_, other *netspace.Space) error { return other.Up("down1") }},
	} {
		for _, resilient := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, resilient %t", c.name, resilient), func(t *testing.T) {
				ofBoth(t, func(t *testing.T, f family) { flap(t, f, resilient, c.down, c.back) })
			})
		}
	}
}

func flap(t *testing.T, f family, resilient bool, down, back func(router, other *netspace.Space) error) {
	stays, flaps := f.at(f.links[0], 2), f.at(f.links[1], 2)
	both := asHops(stays, flaps)
	router, other := newTwoLinks(t, f)
	table := mustOpen(t, router, resilient)
	alone := f.other // over that link only
	must(t, table.Set(f.services, both), table.Set(alone, both[1:]))
	kernelHas := func(step string, prefix netip.Prefix, want ...netip.Addr) {
		t.Helper()
		if got, err := table.Observe(prefix); err != nil || !slices.Equal(got, want) {
			t.Fatalf("%s: next hops of %s are %v, %v; want %v", step, prefix, got, err, want)
		}
	}
	left := netspacetest.WatchRoutes(t, router)

	must(t, down(router, other))
	waitUntil(t, func() bool { // the kernel itself needs a moment to notice the loss of carrier
		got, err := table.Observe(f.services)
		return err == nil && slices.Equal(got, []netip.Addr{stays})
	})
	table.Check()
	if err := table.Set(f.services, both); err == nil || !strings.Contains(err.Error(), flaps.String()) {
		t.Errorf("the unreachable %s is not reported: %v", flaps, err)
	}
	if err := table.Set(alone, both[1:]); err == nil || isRouted(t, router, alone) {
		t.Errorf("a route over a link that is down: %v", err)
	}
	kernelHas("looked after", f.services, stays)

	must(t, back(router, other))
	table.Check()
	must(t, table.Set(f.services, both), table.Set(alone, both[1:]))
	kernelHas("the link is back", f.services, stays, flaps)
	kernelHas("the link is back", alone, flaps)
	if left := left(); !strings.Contains(left, alone.String()) || strings.Contains(left, "Deleted "+f.services.String()) {
		t.Errorf("the route over the other link was removed:\n%s", left)
	}
	must(t, table.Keep(nil))
	isEmpty(t, router)
}

func TestRemovedObjectsAreRestored(t *testing.T) {
	for name, damage := range map[string]func(family) string{
		"the route":     func(f family) string { return fmt.Sprintf("route del %s", f.services) },
		"a next hop":    func(family) string { return "nexthop del id 2" },
		"all next hops": func(family) string { return "nexthop flush" },
		"the route, replaced by another program's": func(f family) string {
			return fmt.Sprintf("route replace %s via %s proto static metric 20", f.services, f.at(f.links[0], 77))
		},
	} {
		t.Run(name, func(t *testing.T) {
			ofBoth(t, func(t *testing.T, f family) {
				space := f.router(t)
				table := mustOpenWith(t, space, 20)
				must(t, table.Set(f.services, f.hops(2, 3)))
				damage := damage(f)
				f.ip(t, space, "%s", damage)
				table.Check()
				err := table.Set(f.services, f.hops(2, 3))
				if strings.Contains(damage, "static") {
					if err == nil || !strings.Contains(err.Error(), "another program has a route") {
						t.Errorf("a foreign route was replaced: %v", err)
					}
					if route := f.ip(t, space, "route show %s", f.services); !strings.Contains(route, fmt.Sprintf("via %s dev lan proto static", f.at(f.links[0], 77))) {
						t.Errorf("the foreign route is %q", route)
					}
					f.ip(t, space, "route del %s", f.services)
					table.Check()
					err = table.Set(f.services, f.hops(2, 3))
				}
				must(t, err)
				if got, err := table.Observe(f.services); err != nil || !slices.Equal(got, f.addresses(2, 3)) || !isRouted(t, space, f.services) {
					t.Errorf("the kernel has %v, %v", got, err)
				}
				must(t, table.Keep(nil))
				isEmpty(t, space)
			})
		})
	}
}

// A next hop whose gateway moves is updated, and nothing else changes.
func TestANextHopFollowsItsGateway(t *testing.T) {
	ofBoth(t, func(t *testing.T, f family) {
		space := f.router(t)
		f.ip(t, space, "route add %s", f.beyondBy(5))
		table, hops := mustOpen(t, space, true), asHops(append(f.behind(8), f.addresses(2)...)...)
		must(t, table.Set(f.services, hops), table.Set(f.other, hops[:1]))
		left := netspacetest.WatchRoutes(t, space)
		goesBy := func(step string, gateway byte) {
			t.Helper()
			table.Check()
			must(t, table.Set(f.services, hops), table.Set(f.other, hops[:1]))
			objects := run(t, space, "ip", "nexthop")
			if strings.Count(objects, " via ") != 2 || !strings.Contains(objects, fmt.Sprintf(" via %s ", f.at(f.links[0], gateway))) {
				t.Errorf("%s: the kernel has\n%s", step, objects)
			}
			if got := f.ip(t, space, "route get %s", f.other.Addr().Next()); !strings.Contains(got, fmt.Sprintf(" via %s ", f.at(f.links[0], gateway))) {
				t.Errorf("%s: routed via %s", step, got)
			}
		}
		goesBy("at first", 5)
		f.ip(t, space, "route replace %s", f.beyondBy(6))
		goesBy("the gateway moved", 6)
		f.ip(t, space, "route del %s", f.beyondBy(6))
		goesBy("no route to it", 6)
		f.ip(t, space, "route add %s", f.beyondBy(7))
		goesBy("moved again", 7)
		if left := left(); strings.Contains(left, "Deleted "+f.services.String()) || strings.Contains(left, "Deleted "+f.other.String()) {
			t.Errorf("routes were removed:\n%s", left)
		}
	})
}

func waitUntil(t *testing.T, is func() bool) {
	t.Helper()
	for began := time.Now(); !is(); time.Sleep(time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatal("timed out")
		}
	}
}
