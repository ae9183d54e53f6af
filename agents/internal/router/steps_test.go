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

// A next hop that comes or goes was learned from the first peer that told of it, and lost
// with the last that took it back; what the kernel had already takes no step.
func TestStepsOfAnUpdate(t *testing.T) {
	driver, engine, _, now := begin(t, map[netip.Prefix][]netip.Addr{one: {a}})
	*now = now.Add(time.Minute)
	told := func(after time.Duration, hop netip.Addr, withdrawn bool) {
		engine.Tell(bgp.Changes{Updates: []bgp.Update{{Prefix: one, NextHop: hop, Withdrawn: withdrawn, At: now.Add(after)}}})
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
	engine.Hear(one, []netip.Addr{a}, peer)
	woken(t, driver)
	*now = now.Add(10 * time.Second) // it has settled
	want("the kernel has it already")

	told(-5*time.Millisecond, b, false)
	told(-2*time.Millisecond, b, false) // the other reflector
	engine.Hear(one, []netip.Addr{a, b}, peer)
	want("one comes", step(bgp.Learned, b, false, -5*time.Millisecond), step(bgp.Routed, b, false, 0))

	told(-time.Millisecond, a, true)
	woken(t, driver) // the other reflector has it still
	want("one is taken back once")

	told(-3*time.Millisecond, b, true)
	told(-time.Millisecond, b, true)
	engine.Hear(one, []netip.Addr{a}, peer)
	want("one goes", step(bgp.Learned, b, true, -time.Millisecond), step(bgp.Routed, b, true, 0))

	engine.Hear(one, []netip.Addr{a, b}, peer)
	want("when it was learned is unknown", step(bgp.Routed, b, false, 0))
}

// stepsOf are those that a report takes, in whole nanoseconds.
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
