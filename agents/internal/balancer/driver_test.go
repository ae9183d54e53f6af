package balancer

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"fairlead.dev/agents/internal/agent/agenttest"
	"fairlead.dev/agents/internal/balancer/datapath"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

func TestTheDriverKeepsItsContract(t *testing.T) {
	agenttest.Contract(t, func(t *testing.T) agenttest.Case[Desired, Observed] {
		b := newBench(t, t.TempDir(), "tcx")
		return agenttest.Case[Desired, Observed]{
			Driver: b.Driver, First: desired(t, config(1)),
			Second: desired(t, config(2, service(func(s *agentv1.BalancerService) { s.Port, s.Backends[0].Port, s.Backends[1].Port = 81, 81, 81 }))),
			Shows: func(observed Observed, desired Desired) bool {
				return slices.Equal(observed.Carried, []datapath.Key{desired.Services[0].Wanted.Key})
			},
			Damage: func() { b.engines["tcx"].damage() },
		}
	})
}

func TestAnEngineThatFailsLaterKeepsItsServicesAndIsReported(t *testing.T) {
	b := newBench(t, t.TempDir(), "tcx")
	defer b.Close()
	mustSet(t, b, config(1))
	b.engines["tcx"].failing = errors.New("the map is full")
	if _, err := b.Set(t.Context(), desired(t, config(2, engineOf("tcx"), service(func(s *agentv1.BalancerService) { s.Backends = nil })))); err == nil {
		t.Fatal("no error")
	}
	if ready, sentence := b.ready.Load().now(); !ready || !strings.Contains(sentence, "the newest config is not: tcx: the map is full") {
		t.Fatalf("ready %v: %s", ready, sentence)
	}
}

func TestEachRejectionIsReportedOnce(t *testing.T) {
	b := newBench(t, t.TempDir(), "tcx")
	defer b.Close()
	mustSet(t, b, config(1))
	reasons(b)
	refused := func(why string) (messages []string) {
		b.engines["tcx"].failing = errors.New(why)
		if _, err := b.Set(t.Context(), desired(t, config(2))); err == nil {
			t.Fatal("no error")
		}
		for _, event := range b.news.Take() {
			messages = append(messages, event.GetMessage())
		}
		return messages
	}
	for _, step := range []struct {
		why    string
		events int
	}{{"the map is full", 1}, {"the map is full", 0}, {"no memory", 1}, {"the map is full", 1}} {
		if got := refused(step.why); len(got) != step.events || step.events == 1 && !strings.Contains(got[0], "Revision 2 is not carried and the previous one keeps running: tcx: "+step.why) {
			t.Errorf("%s: events %q", step.why, got)
		}
	}
	b.engines["tcx"].failing = nil
	mustSet(t, b, config(2))
	reasons(b)
	if got := refused("no memory"); len(got) != 1 || !strings.Contains(got[0], "Revision 2 keeps running unchanged, because it could not be set again") {
		t.Errorf("once it was carried: events %q", got)
	}
}
