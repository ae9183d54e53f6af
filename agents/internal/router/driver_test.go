package router_test

import (
	"errors"
	"log/slog"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/clocktest"
	"fairlead.dev/agents/internal/fib"
	"fairlead.dev/agents/internal/router"
)

// kernel is a table in memory.
type kernel struct {
	routes  map[netip.Prefix][]netip.Addr
	weights map[netip.Addr]int // set by another program; the default is 1
	refuse  netip.Prefix
	lame    netip.Addr // an unreachable next hop
	rivals  map[netip.Prefix]*fib.Rival
}

func (k *kernel) Set(to netip.Prefix, hops []fib.Hop) error {
	if to == k.refuse {
		return errors.New("another program has a route to it")
	}
	k.routes[to] = nil
	var err error
	for _, hop := range hops {
		if hop.Via == k.lame {
			err = errors.New("no route to the next hop")
			continue
		}
		k.routes[to] = append(k.routes[to], hop.Via)
	}
	return err
}

func (k *kernel) Keep(prefixes []netip.Prefix) error {
	for to := range k.routes {
		if !slices.Contains(prefixes, to) {
			delete(k.routes, to)
		}
	}
	return nil
}

func (k *kernel) Check() {}

func (k *kernel) Rival(to netip.Prefix) (*fib.Rival, error) { return k.rivals[to], nil }

func (k *kernel) Observe(to netip.Prefix) ([]netip.Addr, error) { return k.routes[to], nil }

func (k *kernel) Weighed(to netip.Prefix) (hops []fib.Hop, err error) {
	for _, via := range k.routes[to] {
		hops = append(hops, fib.Hop{Via: via, Weight: max(1, k.weights[via])})
	}
	return hops, nil
}

func (k *kernel) Prefixes() (prefixes []netip.Prefix) {
	for to := range k.routes {
		prefixes = append(prefixes, to)
	}
	return prefixes
}

var (
	one, two = netip.MustParsePrefix("203.0.113.1/32"), netip.MustParsePrefix("203.0.113.2/32")
	a, b     = netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("10.0.0.2")
	peer     = netip.MustParseAddr("10.0.0.10")
)

// begin starts a router whose kernel already has these routes. The returned time is its clock.
func begin(t *testing.T, routes map[netip.Prefix][]netip.Addr) (driver *router.Driver, engine *bgp.Fake, table *kernel, now *time.Time) {
	t.Helper()
	at := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	engine, table = bgp.NewFake(), &kernel{routes: routes}
	driver = router.NewDriver(router.Options{
		Engine: engine, Now: func() time.Time { return at }, Log: slog.New(slog.DiscardHandler),
		Open: func(fib.Options) (router.Table, error) { return table, nil },
	})
	t.Cleanup(func() {
		if err := driver.Close(); err != nil {
			t.Error(err)
		}
	})
	_, err := driver.Set(t.Context(), router.Desired{
		On: true, BGP: bgp.Desired{AS: 65021, RouterID: peer}, Keeps: time.Minute, Settles: 10 * time.Second,
	})
	must(t, err)
	return driver, engine, table, &at
}

func woken(t *testing.T, driver *router.Driver) {
	t.Helper()
	_, err := driver.Woken(t.Context())
	must(t, err)
}

func TestRoutesAreKeptThenAddedThenRemoved(t *testing.T) {
	driver, engine, table, now := begin(t, map[netip.Prefix][]netip.Addr{one: {a}, two: {a}})
	goesBy := func(step string, prefix netip.Prefix, want ...netip.Addr) {
		t.Helper()
		woken(t, driver)
		if got := table.routes[prefix]; !slices.Equal(got, want) {
			t.Fatalf("%s: next hops of %s are %v, want %v", step, prefix, got, want)
		}
	}
	goesBy("no peer", one, a)
	engine.SetHops(one, []netip.Addr{b}, peer)
	goesBy("the first peer adds a next hop", one, a, b)
	goesBy("other routes are kept", two, a)
	*now = now.Add(10 * time.Second)
	woken(t, driver)
	goesBy("settled", one, b)
	goesBy("settled", two)
	engine.SetHops(one, nil)
	goesBy("the peer is lost", one, b)
	observed, err := driver.Observe(t.Context())
	if err != nil || len(observed.Warnings) != 1 || !strings.Contains(observed.Warnings[0], "until 12:01:10 UTC") {
		t.Errorf("warnings: %q, %v", observed.Warnings, err)
	}
	*now = now.Add(time.Minute)
	goesBy("after the keep time", one)
}

// Changes of the host's wall clock don't change how long routes are kept.
func TestWallClockChangesHaveNoEffect(t *testing.T) {
	var clock clocktest.Clock
	engine, table := bgp.NewFake(), &kernel{routes: map[netip.Prefix][]netip.Addr{one: {a}, two: {a}}}
	driver := router.NewDriver(router.Options{
		Engine: engine, Now: clock.Now, Log: slog.New(slog.DiscardHandler),
		Open: func(fib.Options) (router.Table, error) { return table, nil },
	})
	defer func() { must(t, driver.Close()) }()
	const keeps, settles = 3 * time.Second, 2 * time.Second
	_, err := driver.Set(t.Context(), router.Desired{On: true, BGP: bgp.Desired{AS: 65021, RouterID: peer}, Keeps: keeps, Settles: settles})
	must(t, err)
	goes := func(step string, prefix netip.Prefix, after time.Duration) {
		t.Helper()
		began := time.Now()
		for hour := time.Hour; len(table.routes[prefix]) > 0; hour = -hour {
			clock.Set(hour)
			woken(t, driver)
			if time.Since(began) > after+time.Minute { // the wall clock is an hour off
				t.Fatalf("%s: the route is not removed", step)
			}
			time.Sleep(10 * time.Millisecond)
		}
		if took := time.Since(began); took < after-time.Second {
			t.Errorf("%s: removed after %s, want %s", step, took, after)
		}
	}
	engine.SetHops(one, []netip.Addr{a}, peer)
	goes("a peer is back without the route", two, settles)
	engine.SetHops(one, nil)
	goes("the last peer is lost", one, keeps)
}

func TestAFailedRouteDoesNotBlockOthers(t *testing.T) {
	driver, engine, table, now := begin(t, map[netip.Prefix][]netip.Addr{})
	table.refuse = one
	engine.SetHops(one, []netip.Addr{a}, peer)
	engine.SetHops(two, []netip.Addr{a}, peer)
	woken(t, driver)
	*now = now.Add(10 * time.Second)
	woken(t, driver)
	observed, err := driver.Observe(t.Context())
	if err != nil || len(observed.Warnings) != 1 || !strings.Contains(observed.Warnings[0], "another program has a route") {
		t.Errorf("warnings: %q, %v", observed.Warnings, err)
	}
	if len(observed.Routes) != 1 || observed.Routes[0].Prefix != two || len(observed.Routes[0].Hops) != 1 || observed.Routes[0].Hops[0].Via != a {
		t.Errorf("routes: %+v", observed.Routes)
	}
}

func TestARouterThatIsOffHasNoRoutes(t *testing.T) {
	driver, engine, table, _ := begin(t, map[netip.Prefix][]netip.Addr{one: {a}})
	_, err := driver.Set(t.Context(), router.Desired{})
	must(t, err)
	if _, closed := engine.LastSet(); !closed || len(table.routes) > 0 {
		t.Errorf("routes %v, closed %t", table.routes, closed)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
