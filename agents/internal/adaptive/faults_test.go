package adaptive

import (
	"slices"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/adaptive/policy"
	"fairlead.dev/agents/internal/events"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

func want(t *testing.T, what string, got []events.Event, reasons ...string) {
	t.Helper()
	names := []string{}
	for _, one := range got {
		names = append(names, one.Reason)
	}
	if !slices.Equal(names, reasons) {
		t.Errorf("%s: %+v, want %v", what, got, reasons)
	}
}

func TestAClockThatIsSetAndAPauseHaveOneEventEach(t *testing.T) {
	f := &faults{}
	wall, boot := time.Hour, time.Minute
	for _, step := range []struct {
		name       string
		wall, boot time.Duration
		want       []string
	}{
		{"the first round", 0, 0, nil},
		{"a usual one", time.Second, time.Second, nil},
		{"a clock that runs fast", 1100 * time.Millisecond, time.Second, nil},
		{"a clock that is set forward", 37 * time.Second, time.Second, []string{NodeClockChanged}},
		{"a clock that is set back", -time.Hour, time.Second, []string{NodeClockChanged}},
		{"afterwards", time.Second, time.Second, nil},
		{"a suspended host", 10 * time.Second, 10 * time.Second, []string{NodeCostsLate}},
		{"both", time.Hour, 10 * time.Second, []string{NodeClockChanged, NodeCostsLate}},
	} {
		wall, boot = wall+step.wall, boot+step.boot
		want(t, step.name, f.clocks(wall, boot), step.want...)
	}
}

func TestANodesCoresHaveAnEventWhenTheyChange(t *testing.T) {
	f := &faults{}
	want(t, "at first", f.limit(1, "cgroup / of version 1"), NodeCoresChanged)
	want(t, "the same", f.limit(1, "cgroup / of version 1"))
	got := f.limit(128, "cgroup / of version 2")
	want(t, "more", got, NodeCoresChanged)
	const message = "Backends of this node may use 128 cores by cgroup / of version 2. Costs are approximate beside more than 64 requests."
	if got[0].Message != message {
		t.Errorf("%s", got[0].Message)
	}
}

func TestWrongCountsHaveOneEventIn10Minutes(t *testing.T) {
	f, now := &faults{}, time.Unix(1, 0)
	want(t, "none", f.corrected(0, now))
	want(t, "the first", f.corrected(3, now), NodeCountsWrong)
	want(t, "more", f.corrected(4, now.Add(time.Minute)))
	got := f.corrected(0, now.Add(wrongEvery))
	want(t, "later", got, NodeCountsWrong)
	if !strings.HasPrefix(got[0].Message, "4 connections ") {
		t.Errorf("%s", got[0].Message)
	}
	want(t, "none since", f.corrected(0, now.Add(3*wrongEvery)))
}

func TestAServiceThatCannotBeDistributedHasAnEvent(t *testing.T) {
	role := validConfig()
	local := role.GetServices()[0].GetBackends()[1]
	local.NodeId = ""
	f := &faults{}
	parse := func() *Desired {
		desired, err := ParseDesired(&agentv1.NodeConfig{Adaptive: role})
		if err != nil {
			t.Fatal(err)
		}
		return &desired
	}
	got := f.config(parse())
	want(t, "a backend without a node", got, ServiceRejected)
	if !strings.Contains(got[0].Message, "node_id is missing; give the node that it is at") || got[0].LoadBalancer != "lb_1" {
		t.Errorf("%+v", got[0])
	}
	want(t, "again", f.config(parse()))
	local.NodeId = "nod_2"
	got = f.config(parse())
	want(t, "no backend here", got, ServiceElsewhere)
	if !strings.HasPrefix(got[0].Message, "No backend of 10.96.0.10:80/tcp is at this node") {
		t.Errorf("%+v", got[0])
	}
	local.NodeId = "nod_1"
	want(t, "a backend here", f.config(parse()))
}

func TestAnOverloadIsReportedWhenItLasts(t *testing.T) {
	full := policy.Figures{Cores: 2, ServiceTime: 0.01, Rate: 195}
	free := policy.Figures{Cores: 2, ServiceTime: 0.01, Rate: 100}
	o, now := &overload{}, time.Unix(1, 0)
	for i, step := range []struct {
		figures policy.Figures
		want    bool
	}{
		{free, false},
		{full, false}, {full, false}, {free, false}, // a short one
		{full, false}, {full, false}, {full, false}, {full, true}, {full, false},
		{free, false}, {full, false}, // a short pause
		{free, false}, {free, false}, {free, false}, {free, true}, {free, false},
	} {
		now = now.Add(time.Second)
		if got := o.see(isFull(step.figures), now); got != step.want {
			t.Errorf("step %d: %v", i, got)
		}
	}
}
