package router_test

import (
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/fib"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/privileged"
	"fairlead.dev/agents/internal/router"
)

var one6, a6, b6 = netip.MustParsePrefix("2001:db8:113::1/128"), netip.MustParseAddr("fd00::1"), netip.MustParseAddr("fd00::2")

// newHost is a network namespace for a router with a real table and a fake engine.
func newHost(t *testing.T) *netspace.Space {
	t.Helper()
	privileged.Need(t)
	space, err := netspace.New(fmt.Sprintf("flrouter-%d", os.Getpid()))
	must(t, err)
	t.Cleanup(func() {
		if err := space.Delete(); err != nil {
			t.Error(err)
		}
	})
	must(t, space.AddBridge("lan"))
	for _, own := range []string{"10.0.0.9/24", "fd00::9/64"} {
		must(t, space.AddAddress("lan", netip.MustParsePrefix(own)))
	}
	return space
}

func newRouter(t *testing.T, space *netspace.Space, now *time.Time) (*router.Driver, *bgp.Fake) {
	t.Helper()
	engine := bgp.NewFake()
	driver := router.NewDriver(router.Options{
		Engine: engine, Now: func() time.Time { return *now }, Log: slog.New(slog.DiscardHandler),
		Open: func(options fib.Options) (router.Table, error) {
			options.Inside = space.Do
			return fib.Open(options)
		},
	})
	t.Cleanup(func() { must(t, driver.Close()) })
	return driver, engine
}

func plainly() router.Desired {
	return router.Desired{
		On: true, BGP: bgp.Desired{AS: 65021, RouterID: peer}, Keeps: time.Minute, Settles: 10 * time.Second,
		Table: fib.Options{Owner: owner, Metric: 20, Resilient: true},
	}
}

// A changed table setting, by the operator or between processes, never blocks BGP.
func TestChangedTableSettingsKeepTheRoutes(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*router.Desired)
		want   string // part of the route
	}{
		{"plain", func(d *router.Desired) { d.Table.Resilient = false }, "metric 20 "},
		{"another metric", func(d *router.Desired) { d.Table.Metric = 50 }, "metric 50 "},
		{"plain, with another metric", func(d *router.Desired) { d.Table.Resilient, d.Table.Metric = false, 50 }, "metric 50 "},
	} {
		for _, restarted := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, restarted %t", c.name, restarted), func(t *testing.T) {
				space, now := newHost(t), time.Now()
				driver, engine := newRouter(t, space, &now)
				desired := plainly()
				set := func() {
					t.Helper()
					_, err := driver.Set(t.Context(), desired)
					must(t, err)
				}
				set()
				receiveRoutes := func() {
					t.Helper()
					engine.SetHops(one, []netip.Addr{a, b}, peer)
					engine.SetHops(one6, []netip.Addr{a6, b6}, peer)
					woken(t, driver)
				}
				receiveRoutes()
				goesBy := func(step string) {
					t.Helper()
					got, err := fib.Read(space.Do, owner)
					must(t, err)
					if !slices.Equal(got[one], []netip.Addr{a, b}) || !slices.Equal(got[one6], []netip.Addr{a6, b6}) {
						t.Fatalf("%s: the kernel has %v", step, got)
					}
				}
				goesBy("at first")
				if restarted {
					driver, engine = newRouter(t, space, &now)
				}
				c.change(&desired)
				set()
				if lastSet, closed := engine.LastSet(); closed || lastSet.AS != desired.BGP.AS {
					t.Fatalf("BGP is off: %+v", lastSet)
				}
				goesBy("changed")
				if restarted {
					if got := newEvents(t, driver); len(got) != 1 || !strings.HasPrefix(got[0], "RoutesTakenOver: Adopted 2 routes of the previous process.") {
						t.Errorf("got %q", got)
					}
				}
				receiveRoutes()
				now = now.Add(desired.Settles)
				woken(t, driver)
				set()
				goesBy("settled")
				for _, family := range []string{"-4", "-6"} {
					routes, err := space.Run(t.Context(), "ip", family, "route", "show", "proto", fmt.Sprint(owner))
					must(t, err)
					if strings.Count(routes, "nhid") != 1 || !strings.Contains(routes, c.want) {
						t.Errorf("routes: %q", routes)
					}
				}
				if got := newEvents(t, driver); len(got) > 0 {
					t.Errorf("got %q", got)
				}
			})
		}
	}
}

// Removing a pool removes all its routes, with or without peers, and without a warning.
func TestRemovingAPoolRemovesItsRoutes(t *testing.T) {
	space, now := newHost(t), time.Now()
	driver, engine := newRouter(t, space, &now)
	desired := plainly()
	set := func(pools ...netip.Prefix) {
		t.Helper()
		desired.Table.Allows, desired.BGP.Accepts = pools, pools
		_, err := driver.Set(t.Context(), desired)
		must(t, err)
	}
	routed := func(step string, want ...netip.Prefix) {
		t.Helper()
		got, err := fib.Read(space.Do, owner)
		must(t, err)
		if len(got) != len(want) || slices.ContainsFunc(want, func(one netip.Prefix) bool { return len(got[one]) == 0 }) {
			t.Errorf("%s: the kernel has %v", step, got)
		}
		if observed, err := driver.Observe(t.Context()); err != nil || strings.Contains(strings.Join(observed.Warnings, ""), "could not be installed") {
			t.Errorf("%s: warnings: %q, %v", step, observed.Warnings, err)
		}
	}
	set(one, two, one6)
	for prefix, hop := range map[netip.Prefix]netip.Addr{one: a, two: a, one6: a6} {
		engine.SetHops(prefix, []netip.Addr{hop}, peer)
	}
	woken(t, driver)
	now = now.Add(desired.Settles)
	woken(t, driver)
	routed("at first", one, two, one6)

	engine.SetHops(two, nil, peer)
	set(one, one6)
	routed("one pool is removed", one, one6)
	engine.SetHops(one6, nil)
	set(one)
	routed("another pool is removed, without peers", one)
	now = now.Add(desired.Settles)
	woken(t, driver)
	set(one)
	routed("settled", one)
}
