package router_test

import (
	"log/slog"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/fib"
	"fairlead.dev/agents/internal/router"
)

func TestBandwidthsBecomeWeights(t *testing.T) {
	c := netip.MustParseAddr("10.0.0.3")
	for _, each := range []struct {
		name string
		hops []bgp.NextHop
		want []int
	}{
		{"none has one", []bgp.NextHop{{Via: a}, {Via: b}}, []int{1, 1}},
		{"equal ones", []bgp.NextHop{{Via: a, Bandwidth: 500}, {Via: b, Bandwidth: 500}}, []int{256, 256}},
		{"80 and 20 %", []bgp.NextHop{{Via: a, Bandwidth: 40_000}, {Via: b, Bandwidth: 40_000}, {Via: c, Bandwidth: 20_000}}, []int{256, 256, 128}},
		{"99 and 1 %", []bgp.NextHop{{Via: a, Bandwidth: 99_000}, {Via: b, Bandwidth: 1_000}}, []int{256, 3}},
		{"less than the smallest weight", []bgp.NextHop{{Via: a, Bandwidth: 100_000}, {Via: b, Bandwidth: 10}}, []int{256, 1}},
		{"one without", []bgp.NextHop{{Via: a, Bandwidth: 80_000}, {Via: b}}, []int{1, 1}},
	} {
		t.Run(each.name, func(t *testing.T) {
			driver, engine, table := beginRecorded(t, nil)
			engine.SetNextHops(one, each.hops, peer)
			woken(t, driver)
			var got []int
			for _, hop := range table.written[one] {
				got = append(got, hop.Weight)
			}
			if !slices.Equal(got, each.want) {
				t.Errorf("got weights %v, want %v", got, each.want)
			}
		})
	}
}

func TestARestartedRouterKeepsSharesUntilAllPeersAreBack(t *testing.T) {
	driver, engine, table := beginRecorded(t, map[netip.Prefix][]netip.Addr{one: {a, b}})
	engine.SetNextHops(one, []bgp.NextHop{{Via: a, Bandwidth: 80_000}}, peer)
	woken(t, driver)
	want := []fib.Hop{{Via: a, Weight: 256}, {Via: b, Weight: 64, Kept: true}}
	if got := table.written[one]; !slices.Equal(got, want) {
		t.Errorf("next hops are %+v, want %+v", got, want)
	}
}

func TestAnUnknownShareIsReported(t *testing.T) {
	driver, engine, _, now := begin(t, map[netip.Prefix][]netip.Addr{})
	hops := []bgp.NextHop{{Via: a, Bandwidth: 80_000}, {Via: b}}
	engine.SetNextHops(one, hops, peer)
	woken(t, driver)
	*now = now.Add(10 * time.Second)
	woken(t, driver)
	if got := newEvents(t, driver); len(got) > 0 {
		t.Errorf("while replicas get their configuration: %q", got)
	}
	*now = now.Add(10 * time.Second)
	observed, err := driver.Observe(t.Context())
	must(t, err)
	want := "All next hops of " + one.String() + " get the same share, because no link bandwidth arrives with " + b.String() + ": "
	if len(observed.Warnings) != 1 || !strings.HasPrefix(observed.Warnings[0], want) {
		t.Errorf("warnings are %q, want %q", observed.Warnings, want)
	}
	if got := newEvents(t, driver); len(got) != 1 || !strings.HasPrefix(got[0], "SharesUnknown: "+want) {
		t.Errorf("events are %q", got)
	}
	if got := newEvents(t, driver); len(got) > 0 {
		t.Errorf("reported again: %q", got)
	}
	hops[1].Bandwidth = 20_000
	engine.SetNextHops(one, hops, peer)
	woken(t, driver)
	if got := newEvents(t, driver); !slices.Equal(got, []string{"SharesKnown: The shares of all next hops of " + one.String() + " are known again."}) {
		t.Errorf("events are %q", got)
	}
}

// beginRecorded starts a router whose kernel already has these routes, with the weights 4 and 1.
func beginRecorded(t *testing.T, routes map[netip.Prefix][]netip.Addr) (*router.Driver, *bgp.Fake, recordedTable) {
	t.Helper()
	if routes == nil {
		routes = map[netip.Prefix][]netip.Addr{}
	}
	engine, now := bgp.NewFake(), time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	table := recordedTable{&kernel{routes: routes, weights: map[netip.Addr]int{a: 4}}, map[netip.Prefix][]fib.Hop{}}
	driver := router.NewDriver(router.Options{
		Engine: engine, Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler),
		Open: func(fib.Options) (router.Table, error) { return table, nil },
	})
	t.Cleanup(func() { must(t, driver.Close()) })
	_, err := driver.Set(t.Context(), router.Desired{
		On: true, BGP: bgp.Desired{AS: 65021, RouterID: peer}, Keeps: time.Minute, Settles: 10 * time.Second,
	})
	must(t, err)
	return driver, engine, table
}
