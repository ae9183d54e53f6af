package router_test

import (
	"net/netip"
	"reflect"
	"testing"
	"time"

	"fairlead.dev/agents/internal/bgp"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/router"
)

// A next hop is learned from its first announcement, and lost with its last withdrawal. A next hop
// that the kernel already has causes no step.
func TestStepsOfAnUpdate(t *testing.T) {
	driver, engine, _, now := begin(t, map[netip.Prefix][]netip.Addr{one: {a}})
	*now = now.Add(time.Minute)
	learn := func(after time.Duration, hop netip.Addr, withdrawn bool) {
		engine.AddChanges(bgp.Changes{Updates: []bgp.Update{{Prefix: one, NextHop: hop, Withdrawn: withdrawn, At: now.Add(after)}}})
	}
	want := func(step string, want ...bgp.Update) {
		t.Helper()
		woken(t, driver)
		if got := stepsOf(t, driver); !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\ngot  %v\nwant %v", step, got, want)
		}
	}
	step := func(of bgp.Step, hop netip.Addr, withdrawn bool, after time.Duration) bgp.Update {
		return bgp.Update{Prefix: one, NextHop: hop, Withdrawn: withdrawn, Step: of, At: now.Add(after)}
	}
	engine.SetHops(one, []netip.Addr{a}, peer)
	woken(t, driver)
	*now = now.Add(10 * time.Second) // settled
	want("already in the kernel")

	learn(-5*time.Millisecond, b, false)
	learn(-2*time.Millisecond, b, false) // the other reflector
	engine.SetHops(one, []netip.Addr{a, b}, peer)
	want("one is added", step(bgp.Learned, b, false, -5*time.Millisecond), step(bgp.Routed, b, false, 0))

	learn(-time.Millisecond, a, true)
	woken(t, driver) // the other reflector still has it
	want("withdrawn by one reflector")

	learn(-3*time.Millisecond, b, true)
	learn(-time.Millisecond, b, true)
	engine.SetHops(one, []netip.Addr{a}, peer)
	want("one is removed", step(bgp.Learned, b, true, -time.Millisecond), step(bgp.Routed, b, true, 0))

	engine.SetHops(one, []netip.Addr{a, b}, peer)
	want("learned at an unknown time", step(bgp.Routed, b, false, 0))
}

// stepsOf returns the steps of a report, rounded to nanoseconds.
func stepsOf(t *testing.T, driver *router.Driver) (steps []bgp.Update) {
	t.Helper()
	observed, err := driver.Observe(t.Context())
	must(t, err)
	report := new(agentv1.ReportRequest)
	router.NewRole(driver, "lo").Fill(observed, report)
	for _, one := range report.GetBgp().GetUpdates() {
		steps = append(steps, bgp.Update{
			Prefix: netip.MustParsePrefix(one.GetPrefix()), NextHop: netip.MustParseAddr(one.GetNextHop()),
			Withdrawn: one.GetWithdrawn(), Step: bgp.Step(one.GetStep()), At: one.GetAt().AsTime(),
		})
	}
	return steps
}
