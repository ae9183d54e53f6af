package fib_test

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"fairlead.dev/agents/internal/fib"
)

func TestWeightsAreReadFromTheKernel(t *testing.T) {
	space := newRouter(t, "10.9.0.1/24")
	table, err := open(space, false)
	must(t, err)
	to := netip.MustParsePrefix("203.0.113.7/32")
	want := []fib.Hop{{Via: netip.MustParseAddr("10.9.0.2"), Weight: 3}, {Via: netip.MustParseAddr("10.9.0.3"), Weight: 1}}
	must(t, table.Set(to, want))
	if got, err := table.Weighed(to); err != nil || !slices.Equal(got, want) {
		t.Errorf("the kernel has %v, %v; want %v", got, err, want)
	}
	var id, first, second int
	for line := range strings.Lines(run(t, space, "ip", "nexthop")) {
		switch {
		case strings.Contains(line, "group"):
			_, err = fmt.Sscanf(line, "id %d", &id)
		case strings.Contains(line, "10.9.0.2"):
			_, err = fmt.Sscanf(line, "id %d", &first)
		default:
			_, err = fmt.Sscanf(line, "id %d", &second)
		}
		must(t, err)
	}
	run(t, space, "ip", "nexthop", "replace", "id", fmt.Sprint(id), "group", fmt.Sprintf("%d,2/%d,5", first, second))
	want[0].Weight, want[1].Weight = 2, 5
	if got, err := table.Weighed(to); err != nil || !slices.Equal(got, want) {
		t.Errorf("after a foreign change the kernel has %v, %v; want %v", got, err, want)
	}
	if got, err := fib.ReadWeighed(space.Do, owner); err != nil || len(got) != 1 || !slices.Equal(got[to], want) {
		t.Errorf("Read returns %v, %v; want %v", got, err, want)
	}
}

// Buckets of a busy service are never idle, so their share would never change. Without weights, a hop that is added
// takes over no busy bucket.
func TestOnlyWeightedGroupsMoveBusyBuckets(t *testing.T) {
	space := newRouter(t, "10.9.0.1/24")
	table, err := open(space, true)
	must(t, err)
	to := netip.MustParsePrefix("203.0.113.7/32")
	for _, each := range []struct {
		weight int
		want   string
	}{{1, "unbalanced_timer 0 "}, {3, "unbalanced_timer 5 "}, {1, "unbalanced_timer 0 "}} {
		must(t, table.Set(to, []fib.Hop{
			{Via: netip.MustParseAddr("10.9.0.2"), Weight: each.weight}, {Via: netip.MustParseAddr("10.9.0.3"), Weight: 1},
		}))
		if got := run(t, space, "ip", "nexthop"); !strings.Contains(got, each.want) {
			t.Errorf("with weight %d the kernel has no %q:\n%s", each.weight, each.want, got)
		}
	}
}
