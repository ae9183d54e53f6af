package router_test

import (
	"context"
	"log/slog"
	"net/netip"
	"slices"
	"testing"
	"time"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/fib"
	"fairlead.dev/agents/internal/router"
)

// roomyEngine returns next hops in a slice with room for more, as an engine that appends
// them one by one does.
type roomyEngine struct{ *bgp.Fake }

func (e roomyEngine) Hops(ctx context.Context, prefix netip.Prefix) ([]bgp.NextHop, error) {
	hops, err := e.Fake.Hops(ctx, prefix)
	return append(make([]bgp.NextHop, 0, 8), hops...), err
}

// recordedTable records the hops that were last written.
type recordedTable struct {
	*kernel
	written map[netip.Prefix][]fib.Hop
}

func (r recordedTable) Set(to netip.Prefix, hops []fib.Hop) error {
	r.written[to] = slices.Clone(hops)
	return r.kernel.Set(to, hops)
}

func TestOnlyNextHopsThatNoPeerOffersAreMarkedAsKept(t *testing.T) {
	c := netip.MustParseAddr("10.0.0.3")
	engine := roomyEngine{bgp.NewFake()}
	table := recordedTable{&kernel{routes: map[netip.Prefix][]netip.Addr{one: {a}}}, map[netip.Prefix][]fib.Hop{}}
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	driver := router.NewDriver(router.Options{
		Engine: engine, Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler),
		Open: func(fib.Options) (router.Table, error) { return table, nil },
	})
	defer func() { must(t, driver.Close()) }()
	_, err := driver.Set(t.Context(), router.Desired{
		On: true, BGP: bgp.Desired{AS: 65021, RouterID: peer}, Keeps: time.Minute, Settles: 10 * time.Second,
	})
	must(t, err)
	engine.SetHops(one, []netip.Addr{b, c}, peer)
	woken(t, driver)
	want := []fib.Hop{{Via: a, Weight: 1, Kept: true}, {Via: b, Weight: 1}, {Via: c, Weight: 1}}
	if got := table.written[one]; !slices.Equal(got, want) {
		t.Errorf("next hops are %+v, want %+v", got, want)
	}
}
