package fib_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestAPreferredRouteIsFound(t *testing.T) {
	for _, c := range []struct {
		name        string
		add, remove func(family) string
		want        func(family) string // empty: ours is used
	}{
		{
			name: "a lower metric",
			add: func(f family) string {
				return fmt.Sprintf("route add %s via %s proto static metric 5", f.services, f.at(f.links[0], 77))
			},
			remove: func(f family) string { return fmt.Sprintf("route del %s metric 5", f.services) },
			want: func(f family) string {
				return fmt.Sprintf("a route of protocol static with metric 5 via %s dev lan", f.at(f.links[0], 77))
			},
		},
		{
			name: "a higher metric",
			add: func(f family) string {
				return fmt.Sprintf("route add %s via %s metric 50", f.services, f.at(f.links[0], 77))
			},
			remove: func(f family) string { return fmt.Sprintf("route del %s metric 50", f.services) },
		},
		{
			name:   "a part of the prefix",
			add:    func(f family) string { return fmt.Sprintf("route add %s via %s", f.host(0), f.at(f.links[0], 77)) },
			remove: func(f family) string { return fmt.Sprintf("route del %s", f.host(0)) },
		},
		{
			name:   "a default route",
			add:    func(f family) string { return fmt.Sprintf("route add default via %s", f.at(f.links[0], 77)) },
			remove: func(f family) string { return "route del default" },
		},
		{
			name:   "a black hole",
			add:    func(f family) string { return fmt.Sprintf("route add blackhole %s metric 5", f.services) },
			remove: func(f family) string { return fmt.Sprintf("route del blackhole %s metric 5", f.services) },
			want:   func(f family) string { return "a route that drops it" },
		},
		{
			name: "a rule",
			add: func(f family) string {
				return fmt.Sprintf("route add default via %s table 77 proto static", f.at(f.links[0], 77))
			},
			remove: func(f family) string { return "route flush table 77" },
			want:   func(f family) string { return " in table 77 via " + f.at(f.links[0], 77).String() + " dev lan" },
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			ofBoth(t, func(t *testing.T, f family) {
				space := f.router(t)
				f.ip(t, space, "rule add table 77 priority 100")
				table := mustOpenWith(t, space, 20)
				must(t, table.Set(f.services, f.hops(2, 3)))
				rival := func() string {
					t.Helper()
					found, err := table.Rival(f.services)
					must(t, err)
					if found == nil {
						return ""
					}
					return found.String()
				}
				if got := rival(); got != "" {
					t.Fatalf("without a preferred route: %q", got)
				}
				f.ip(t, space, "%s", c.add(f))
				if got := rival(); c.want == nil && got != "" || c.want != nil && !strings.Contains(got, c.want(f)) {
					t.Errorf("found %q", got)
				}
				f.ip(t, space, "%s", c.remove(f))
				if got := rival(); got != "" {
					t.Errorf("after its removal: %q", got)
				}
			})
		})
	}
}

func TestAnAddressOfThisHostIsARival(t *testing.T) {
	ofBoth(t, func(t *testing.T, f family) {
		space, one := f.router(t), f.host(7)
		table := mustOpenWith(t, space, 20)
		must(t, table.Set(one, f.hops(2)))
		f.ip(t, space, "address add %s dev lan", one)
		waitUntil(t, func() bool { // IPv6 first checks for duplicate addresses
			found, err := table.Rival(one)
			must(t, err)
			return found != nil && found.Local
		})
	})
}

// After the loss of our route with its link there is no route to prefer others to.
func TestAMissingRouteHasNoRival(t *testing.T) {
	ofBoth(t, func(t *testing.T, f family) {
		router, _ := newTwoLinks(t, f)
		table := mustOpenWith(t, router, 20)
		must(t, table.Set(f.services, asHops(f.at(f.links[1], 2))))
		must(t, router.Down("up1"))
		if found, err := table.Rival(f.services); err != nil || found != nil {
			t.Errorf("found %v, %v", found, err)
		}
		f.ip(t, router, "route add default via %s", f.at(f.links[0], 2))
		if found, err := table.Rival(f.services); err != nil || found != nil {
			t.Errorf("with a default route, found %v, %v", found, err)
		}
	})
}
