package fib_test

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"fairlead.dev/agents/internal/fib"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/netspace/netspacetest"
)

func TestObjectsOfAPreviousProcessAreAdopted(t *testing.T) {
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
			ofBoth(t, func(t *testing.T, f family) {
				space := f.router(t)
				before, gone := mustOpen(t, space, c.before), f.host(7)
				must(t, before.Set(f.services, f.hops(2, 3)), before.Set(gone, f.hops(4)))

				table := mustOpen(t, space, c.after)
				if got := table.Prefixes(); !slices.Equal(got, []netip.Prefix{f.services, gone}) {
					t.Fatalf("adopted %v", got)
				}
				if !isRouted(t, space, f.services) || !isRouted(t, space, gone) {
					t.Fatal("Open removed routes")
				}
				if got, err := table.Observe(f.services); err != nil || !slices.Equal(got, f.addresses(2, 3)) {
					t.Errorf("before the first Set, the kernel has %v, %v", got, err)
				}
				must(t, table.Set(f.services, f.hops(2, 3)), table.Keep([]netip.Prefix{f.services}))
				if got, err := table.Observe(f.services); err != nil || !slices.Equal(got, f.addresses(2, 3)) {
					t.Errorf("the kernel has %v, %v", got, err)
				}
				if isRouted(t, space, gone) {
					t.Error("an unwanted route is left")
				}
				if objects := run(t, space, "ip", "nexthop"); strings.Count(objects, "\n") != 3 || strings.Contains(objects, "type resilient") != c.after {
					t.Errorf("want two hops and a group, got:\n%s", objects)
				}
				must(t, table.Keep(nil))
				isEmpty(t, space)
			})
		})
	}
}

func TestUnwantedAdoptedRoutesAreRemoved(t *testing.T) {
	ofBoth(t, func(t *testing.T, f family) {
		space := f.router(t)
		must(t, mustOpen(t, space, false).Set(f.services, f.hops(2, 3)))
		table := mustOpen(t, space, true)
		must(t, table.Set(f.services, nil), table.Keep(nil))
		if isRouted(t, space, f.services) {
			t.Error("it is still routed")
		}
		isEmpty(t, space)
	})
}

func TestObjectsOfOtherProgramsStay(t *testing.T) {
	ofBoth(t, func(t *testing.T, f family) {
		space, foreign := f.router(t), f.at(f.links[0], 77)
		for _, id := range []int{1, 3} { // the IDs that we would use
			f.ip(t, space, "nexthop add id %d via %s dev lan", id, foreign)
		}
		f.ip(t, space, "route add %s via %s proto static metric 20", f.services, foreign)
		f.ip(t, space, "route add %s nhid 1 proto static metric 20", f.host(9))
		before := f.ip(t, space, "-d route") + run(t, space, "ip", "nexthop")

		table := mustOpenWith(t, space, 20)
		if got := table.Prefixes(); len(got) > 0 {
			t.Errorf("adopted %v", got)
		}
		if err := table.Set(f.services, f.hops(2)); err == nil || !strings.Contains(err.Error(), "another program has a route") {
			t.Errorf("a foreign route was replaced: %v", err)
		}
		must(t, table.Set(f.host(8), f.hops(2)))
		must(t, table.Keep(nil))
		if after := f.ip(t, space, "-d route") + run(t, space, "ip", "nexthop"); after != before {
			t.Errorf("before:\n%s\nafter:\n%s", before, after)
		}
	})
}

func TestRoutesOfOthersCoexistByMetric(t *testing.T) {
	ofBoth(t, func(t *testing.T, f family) {
		space := f.router(t)
		f.ip(t, space, "route add %s via %s proto static metric 200", f.services, f.at(f.links[0], 77))
		table := mustOpenWith(t, space, 20)
		must(t, table.Set(f.services, f.hops(2)))
		goesBy := func(want byte) {
			t.Helper()
			if got := f.ip(t, space, "route get %s", f.host(1).Addr()); !strings.Contains(got, " "+f.at(f.links[0], want).String()+" ") {
				t.Errorf("routed via %s", got)
			}
		}
		goesBy(2)
		must(t, table.Keep(nil))
		goesBy(77)
	})
}

// A changed metric moves each route, and leaves none behind.
func TestARouteFollowsItsMetric(t *testing.T) {
	for _, c := range []struct{ before, after uint32 }{{20, 50}, {50, 20}, {0, 20}, {20, 0}} {
		for _, step := range []string{"set again", "other hops", "none", "kept no more"} {
			t.Run(fmt.Sprintf("from %d to %d, %s", c.before, c.after, step), func(t *testing.T) {
				ofBoth(t, func(t *testing.T, f family) {
					space := f.router(t)
					must(t, mustOpenWith(t, space, c.before).Set(f.services, f.hops(2)))
					table, left := mustOpenWith(t, space, c.after), netspacetest.WatchRoutes(t, space)
					want := f.addresses(2)
					switch step {
					case "set again":
						must(t, table.Set(f.services, f.hops(2)))
					case "other hops":
						want = f.addresses(2, 3)
						must(t, table.Set(f.services, f.hops(2, 3)))
					case "none":
						want = nil
						must(t, table.Set(f.services, nil))
					case "kept no more":
						want = nil
						must(t, table.Keep(nil))
					}
					if got, err := table.Observe(f.services); err != nil || !slices.Equal(got, want) {
						t.Errorf("the kernel has %v, %v", got, err)
					}
					routes := f.ip(t, space, "route show %s", f.services)
					if strings.Count(routes, "proto") != min(len(want), 1) {
						t.Errorf("routes: %q", routes)
					}
					if metric := fmt.Sprintf("metric %d ", c.after); len(want) > 0 && c.after > 0 && !strings.Contains(routes, metric) {
						t.Errorf("want metric %d: %q", c.after, routes)
					}
					if changes := left(); len(want) > 0 && strings.Index(changes, "Deleted") == 0 {
						t.Errorf("it was removed before it was added again:\n%s", changes)
					}
					must(t, table.Keep(nil))
					isEmpty(t, space)
				})
			})
		}
	}
}

// A process that stops while it changes a metric leaves two routes.
func TestOfTwoRoutesTheOneInUseIsAdopted(t *testing.T) {
	ofBoth(t, func(t *testing.T, f family) {
		space := f.router(t)
		must(t, mustOpenWith(t, space, 50).Set(f.services, f.hops(2)))
		group := strings.Fields(f.ip(t, space, "route show %s", f.services))
		f.ip(t, space, "route add %s nhid %s proto %d metric 20", f.services, group[slices.Index(group, "nhid")+1], owner)
		table := mustOpenWith(t, space, 50)
		if routes := f.ip(t, space, "route show %s", f.services); strings.Count(routes, "proto") != 1 || !strings.Contains(routes, "metric 20 ") {
			t.Errorf("routes: %q", routes)
		}
		must(t, table.Set(f.services, nil))
		if isRouted(t, space, f.services) {
			t.Error("it is still routed")
		}
	})
}

func TestRoutesThatAreNeverWritten(t *testing.T) {
	for i, refused := range []map[string]string{
		{"0.0.0.0/0": "default route", "198.51.100.0/24": "outside", "203.0.112.0/23": "outside", "203.0.113.5/32": ""},
		{"::/0": "default route", "2001:db8:51::/64": "outside", "2001:db8:112::/47": "outside", "2001:db8:113::5/128": ""},
	} {
		t.Run(families[i].name, func(t *testing.T) {
			f := families[i]
			space := f.router(t)
			table, err := fib.Open(fib.Options{Inside: space.Do, Owner: owner, Allows: []netip.Prefix{f.services}})
			must(t, err)
			for prefix, want := range refused {
				err := table.Set(netip.MustParsePrefix(prefix), f.hops(2))
				if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
					t.Errorf("%s: %v, want %q", prefix, err, want)
				}
			}
		})
	}
}

// A route that is no longer allowed can be removed.
func TestARouteThatIsNoLongerAllowedCanBeRemoved(t *testing.T) {
	ofBoth(t, func(t *testing.T, f family) {
		space := f.router(t)
		must(t, mustOpen(t, space, true).Set(f.services, f.hops(2)))
		table, err := fib.Open(fib.Options{Inside: space.Do, Owner: owner, Resilient: true, Allows: []netip.Prefix{f.other}})
		must(t, err, table.Set(f.services, nil))
		if isRouted(t, space, f.services) {
			t.Error("it is still routed")
		}
	})
}

func mustOpen(t *testing.T, space *netspace.Space, resilient bool) *fib.Table {
	t.Helper()
	table, err := open(space, resilient)
	must(t, err)
	return table
}

func mustOpenWith(t *testing.T, space *netspace.Space, metric uint32) *fib.Table {
	t.Helper()
	table, err := fib.Open(fib.Options{Name: space.Name, Inside: space.Do, Owner: owner, Metric: metric, Resilient: true})
	must(t, err)
	return table
}

// isEmpty checks that no next hop is left.
func isEmpty(t *testing.T, space *netspace.Space) {
	t.Helper()
	if objects := run(t, space, "ip", "nexthop"); objects != "" {
		t.Errorf("left behind:\n%s", objects)
	}
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
