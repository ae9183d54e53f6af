package fib_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fairlead.dev/agents/internal/fib"
)

func TestUnreachableHopsAreLeftOutAndReported(t *testing.T) {
	ofBoth(t, func(t *testing.T, f family) {
		space := f.router(t)
		f.ip(t, space, "route add default via %s", f.at(f.links[0], 99))
		f.ip(t, space, "route add %s", f.beyondBy(5))
		table := mustOpen(t, space, true)
		behind, nowhere := f.behind(8), f.at(map[bool]string{true: "192.0.2.", false: "2001:db8:2::"}[f.name == "IPv4"], 1)
		err := table.Set(f.services, append(f.hops(2), asHops(behind[0], nowhere)...))
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("no route to %s except the default route", nowhere)) {
			t.Errorf("error %v", err)
		}
		if got, err := table.Observe(f.services); err != nil || !slices.Equal(got, append(f.addresses(2), behind...)) {
			t.Errorf("the kernel has %v, %v", got, err)
		}
		if objects := run(t, space, "ip", "nexthop"); !strings.Contains(objects, fmt.Sprintf("via %s ", f.at(f.links[0], 5))) {
			t.Errorf("the hop behind a gateway is missing:\n%s", objects)
		}
		if err := table.Set(f.services, asHops(nowhere)); err == nil || isRouted(t, space, f.services) {
			t.Errorf("without a reachable hop: routed is %t, %v", isRouted(t, space, f.services), err)
		}
		// Our own routes don't count as a route to a next hop.
		must(t, table.Set(f.other, f.hops(2)))
		err = table.Set(f.services, asHops(f.other.Addr().Next()))
		if err == nil || !strings.Contains(err.Error(), "one of our own routes") {
			t.Errorf("error %v", err)
		}
	})
}

// Adopted next hops behind one gateway are indistinguishable: none gets a second share when it is
// set.
func TestHopsBehindAGatewayAreAdopted(t *testing.T) {
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
					t.Fatalf("adopted %v, %v", found, err)
				}
				wanted := asHops(f.behind(8)...) // is added first
				for _, via := range found {
					wanted = append(wanted, fib.Hop{Via: via, Weight: 1, Kept: true})
				}
				must(t, table.Set(f.services, wanted))
				if got, err := table.Observe(f.services); err != nil || !slices.Equal(got, append(f.addresses(2), f.behind(8)...)) {
					t.Errorf("the kernel has %v, %v", got, err)
				}
				if objects := run(t, space, "ip", "nexthop"); strings.Count(objects, " via ") != 2 {
					t.Errorf("left behind:\n%s", objects)
				}
				// The gateway may be set as a next hop itself.
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
