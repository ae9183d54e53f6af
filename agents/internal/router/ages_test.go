package router

import (
	"net/netip"
	"testing"
	"time"

	"fairlead.dev/agents/internal/fib"
)

func TestAHopHasTheAgeOfItsRoute(t *testing.T) {
	began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	prefix, a, b := netip.MustParsePrefix("203.0.113.7/32"), fib.Hop{Via: netip.MustParseAddr("10.0.0.1"), Weight: 1}, fib.Hop{Via: netip.MustParseAddr("10.0.0.2"), Weight: 1}
	ages := ages{}
	ages.update(prefix, []fib.Hop{a}, began)
	got := ages.update(prefix, []fib.Hop{a, b}, began.Add(time.Second))
	if !got.Since.Equal(began) || !got.Hops[0].Since.Equal(began) || !got.Hops[1].Since.Equal(began.Add(time.Second)) {
		t.Fatalf("got %+v", got)
	}
	if got.Changed != began.Add(time.Second) {
		t.Errorf("second hop added at %v", got.Changed)
	}
	if got = ages.update(prefix, []fib.Hop{b}, began.Add(2*time.Second)); got.Changed != began.Add(2*time.Second) {
		t.Errorf("hop removed at %v", got.Changed)
	}
	if got = ages.update(prefix, []fib.Hop{b}, began.Add(2500*time.Millisecond)); got.Changed != began.Add(2*time.Second) {
		t.Errorf("unchanged route changed at %v", got.Changed)
	}
	heavier := fib.Hop{Via: b.Via, Weight: 3}
	if got = ages.update(prefix, []fib.Hop{heavier}, began.Add(2700*time.Millisecond)); got.Changed != began.Add(2700*time.Millisecond) || got.Hops[0].Weight != 3 {
		t.Errorf("weight changed: %+v", got)
	}
	got = ages.update(prefix, []fib.Hop{a, b}, began.Add(3*time.Second))
	if !got.Hops[0].Since.Equal(began.Add(3*time.Second)) || !got.Hops[1].Since.Equal(began.Add(time.Second)) {
		t.Fatalf("a hop that was added again: %+v", got)
	}
	ages.update(prefix, nil, began.Add(4*time.Second))
	if got = ages.update(prefix, []fib.Hop{a}, began.Add(5*time.Second)); !got.Since.Equal(began.Add(5 * time.Second)) {
		t.Fatalf("a route that was added again: %+v", got)
	}
}
