package fib_test

import (
	"bytes"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"fairlead.dev/agents/internal/fib"
	"fairlead.dev/agents/internal/netspace"
)

// newTwoLinks is a router with 10.9.0.0/24 on one link and 10.9.1.0/24 on another, and who is at the other end.
func newTwoLinks(t *testing.T) (router, other *netspace.Space) {
	t.Helper()
	router = newRouter(t, "10.9.9.1/24")
	other, err := netspace.New(fmt.Sprintf("fltest-%d-other", os.Getpid()))
	must(t, err)
	t.Cleanup(func() {
		if err := other.Delete(); err != nil {
			t.Error(err)
		}
	})
	for i := range 2 {
		own := netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 9, byte(i), 1}), 24)
		must(t, netspace.Connect(
			netspace.End{Space: router, Interface: fmt.Sprintf("up%d", i), Addresses: []netip.Prefix{own}},
			netspace.End{Space: other, Interface: fmt.Sprintf("down%d", i)},
		))
	}
	return router, other
}

// A link that goes down takes its next hops with it, at once and by the kernel; those of another link
// are not touched, neither then nor when it is back.
func TestALinkThatFlapsMovesNothingOfOthers(t *testing.T) {
	stays, flaps := netip.MustParseAddr("10.9.0.2"), netip.MustParseAddr("10.9.1.2")
	both := []fib.Hop{{Via: stays, Weight: 1}, {Via: flaps, Weight: 1}}
	for _, c := range []struct {
		name       string
		down, back func(router, other *netspace.Space) error
	}{
		{"it is shut here", func(router, _ *netspace.Space) error { return router.Down("up1") }, func(router, _ *netspace.Space) error { return router.Up("up1") }},
		{"the cable is pulled", func(_, other *netspace.Space) error { return other.Down("down1") }, func(_, other *netspace.Space) error { return other.Up("down1") }},
	} {
		for _, resilient := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, resilient %t", c.name, resilient), func(t *testing.T) {
				router, other := newTwoLinks(t)
				table := mustOpen(t, router, resilient)
				alone := netip.MustParsePrefix("198.51.100.0/24") // by that link only
				must(t, table.Set(services, both), table.Set(alone, both[1:]))
				kernelHas := func(step string, prefix netip.Prefix, want ...netip.Addr) {
					t.Helper()
					if got, err := table.Observe(prefix); err != nil || !slices.Equal(got, want) {
						t.Fatalf("%s: the kernel sends %s by %v, %v; want %v", step, prefix, got, err, want)
					}
				}
				left := watchRoutes(t, router)

				must(t, c.down(router, other))
				kernelHas("at once", services, stays)
				table.Check()
				if err := table.Set(services, both); err == nil || !strings.Contains(err.Error(), flaps.String()) {
					t.Errorf("nobody says that %s can't be reached: %v", flaps, err)
				}
				if err := table.Set(alone, both[1:]); err == nil || isRouted(t, router, alone) {
					t.Errorf("a route by a link that is down: %v", err)
				}
				kernelHas("looked after", services, stays)

				must(t, c.back(router, other))
				table.Check()
				must(t, table.Set(services, both), table.Set(alone, both[1:]))
				kernelHas("it is back", services, stays, flaps)
				kernelHas("it is back", alone, flaps)
				if left := left(); !strings.Contains(left, alone.String()) || strings.Contains(left, "Deleted "+services.String()) {
					t.Errorf("the route by the other link was taken away:\n%s", left)
				}
				must(t, table.Keep(nil))
				if objects := run(t, router, "ip", "nexthop"); objects != "" {
					t.Errorf("left behind is:\n%s", objects)
				}
			})
		}
	}
}

func TestWhatSomebodyTookAwayIsPutBack(t *testing.T) {
	for name, damage := range map[string]string{
		"the route":                           "route del 203.0.113.0/24",
		"a next hop":                          "nexthop del id 2",
		"all next hops":                       "nexthop flush",
		"the route, and it is somebody's now": "route replace 203.0.113.0/24 via 10.9.0.77 proto static",
	} {
		t.Run(name, func(t *testing.T) {
			space := newRouter(t, "10.9.0.1/24")
			table := mustOpen(t, space, true)
			must(t, table.Set(services, hops(2, 3)))
			run(t, space, "ip", strings.Fields(damage)...)
			table.Check()
			err := table.Set(services, hops(2, 3))
			if strings.Contains(damage, "static") {
				if err == nil || !strings.Contains(err.Error(), "another program has a route") {
					t.Errorf("a foreign route was replaced: %v", err)
				}
				if route := run(t, space, "ip", "route", "show", services.String()); !strings.Contains(route, "10.9.0.77 dev lan proto static") {
					t.Errorf("the foreign route is %q", route)
				}
				run(t, space, "ip", "route", "del", services.String())
				table.Check()
				err = table.Set(services, hops(2, 3))
			}
			must(t, err)
			if got, err := table.Observe(services); err != nil || !slices.Equal(got, addresses(2, 3)) || !isRouted(t, space, services) {
				t.Errorf("the kernel has %v, %v", got, err)
			}
			must(t, table.Keep(nil))
			if objects := run(t, space, "ip", "nexthop"); objects != "" {
				t.Errorf("left behind is:\n%s", objects)
			}
		})
	}
}

// watchRoutes notes what happens to routes, until it is asked.
func watchRoutes(t *testing.T, space *netspace.Space) (seen func() string) {
	t.Helper()
	var printed bytes.Buffer
	command := exec.Command("ip", "monitor", "route")
	command.Stdout = &printed
	must(t, space.Start(command))
	t.Cleanup(func() { _ = command.Process.Kill() })
	return func() string {
		_ = command.Process.Kill()
		_ = command.Wait()
		return printed.String()
	}
}
