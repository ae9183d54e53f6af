package fib_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fairlead.dev/agents/internal/fib"
)

func TestHopsThatCantBeReachedAreLeftOutAndTold(t *testing.T) {
	ofBoth(t, func(t *testing.T, f family) {
		space := f.router(t)
		f.ip(t, space, "route add default via %s", f.at(f.links[0], 99))
		f.ip(t, space, "route add %s", f.beyondBy(5))
		table := mustOpen(t, space, true)
		behind, nowhere := f.behind(8), f.at(map[bool]string{true: "192.0.2.", false: "2001:db8:2::"}[f.name == "IPv4"], 1)
		err := table.Set(f.services, append(f.hops(2), asHops(behind[0], nowhere)...))
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("no way to %s but the default route", nowhere)) {
			t.Errorf("error %v", err)
		}
		if got, err := table.Observe(f.services); err != nil || !slices.Equal(got, append(f.addresses(2), behind...)) {
			t.Errorf("the kernel has %v, %v", got, err)
		}
		if objects := run(t, space, "ip", "nexthop"); !strings.Contains(objects, fmt.Sprintf("via %s ", f.at(f.links[0], 5))) {
			t.Errorf("the hop behind a gateway isn't there:\n%s", objects)
		}
		if err := table.Set(f.services, asHops(nowhere)); err == nil || isRouted(t, space, f.services) {
			t.Errorf("with no hop that can be reached it is routed: %t, %v", isRouted(t, space, f.services), err)
		}
		// One of our own routes is no way to a hop of another.
		must(t, table.Set(f.other, f.hops(2)))
		err = table.Set(f.services, asHops(f.other.Addr().Next()))
		if err == nil || !strings.Contains(err.Error(), "one of our own routes") {
			t.Errorf("error %v", err)
		}
	})
}

// Next hops behind one gateway look alike to who finds them: none gets a second share when it is named.
func TestHopsBehindAGatewayAreTakenOver(t *testing.T) {
	for _, c := range []struct {
		name   string
		before []byte
	}{{"one", []byte{8}}, {"two", []byte{8, 9}}} {
		t.Run(c.name, func(t *testing.T) {
			ofBoth(t, func(t *testing.T, f family) {
				space := f.router(t)
				f.ip(t, space, "route add %s", f.beyondBy(5))
				must(t, mustOpen(t, space, true).Set(f.services, append(f.hops(2), asHops(f.behind(c.before...)...)...)))

				table := mustOpen(t, space, true)
				found, err := table.Observe(f.services)
				if err != nil || !slices.Equal(found, f.addresses(2, 5)) {
					t.Fatalf("found is %v, %v", found, err)
				}
				wanted := asHops(f.behind(8)...) // is told of first
				for _, via := range found {
					wanted = append(wanted, fib.Hop{Via: via, Weight: 1, Kept: true})
				}
				must(t, table.Set(f.services, wanted))
				if got, err := table.Observe(f.services); err != nil || !slices.Equal(got, append(f.addresses(2), f.behind(8)...)) {
					t.Errorf("the kernel has %v, %v", got, err)
				}
				if objects := run(t, space, "ip", "nexthop"); strings.Count(objects, " via ") != 2 {
					t.Errorf("left is:\n%s", objects)
				}
				// The gateway may be a next hop itself, if somebody says so.
				must(t, table.Set(f.services, append(f.hops(5), asHops(f.behind(8)...)...)))
				if got, err := table.Observe(f.services); err != nil || !slices.Equal(got, append(f.addresses(5), f.behind(8)...)) {
					t.Errorf("the kernel has %v, %v", got, err)
				}
				must(t, table.Keep(nil))
				isEmpty(t, space)
			})
		})
	}
}
