package adaptive

import (
	"maps"
	"slices"
	"testing"
	"time"

	"fairlead.dev/agents/internal/adaptive/mesh"
	"fairlead.dev/agents/internal/adaptive/policy"
)

// A pod that is the first one on its node is used while others are fast and near.
func TestANodeThatServedNothingIsPreferredAtHome(t *testing.T) {
	const here, there = "n1", "n2"
	fast := mesh.Received{Figures: policy.Figures{Cores: 2, ServiceTime: 0.0005, Rate: 100}}
	s := &service{meter: newMeter(1), nodes: []*outgoing{{node: here, isHere: true}, {node: there, isFresh: true, received: fast}}}
	s.meter.cores = 2
	d := &Driver{desired: Desired{Node: here}, trips: map[string]time.Duration{there: 200 * time.Microsecond}, services: []*service{s}}

	costs := map[string]policy.Cost{}
	for one := range d.costs(time.Now()) {
		costs[one.Node] = *one.Cost
	}
	local, remote := costs[here], costs[there]
	if len(costs) != 2 {
		t.Fatalf("got costs of %v", slices.Collect(maps.Keys(costs)))
	}
	if own, other := local.Local(0, 0), remote.Remote(0); own >= other {
		t.Errorf("%d ns here, %d ns at the other node", own, other)
	}
	if s.meter.figures(0).ServiceTime != 0 {
		t.Error("what is assumed was reported as measured")
	}
}

func TestANodeThatServedNothingIsAssumedToBeTheMeanOfThoseKnown(t *testing.T) {
	received := func(seconds float64) mesh.Received {
		return mesh.Received{Figures: policy.Figures{Cores: 2, ServiceTime: seconds}}
	}
	s := &service{meter: newMeter(1), nodes: []*outgoing{
		{node: "own", isHere: true}, {node: "other", isFresh: true, received: received(0.004)},
		{node: "unused", isFresh: true, received: received(0)}, {node: "silent", received: received(1)},
	}}
	s.meter.service.Add(time.Second, 0.2, 100)
	d := &Driver{desired: Desired{Node: "own"}, services: []*service{s}}

	for range d.costs(time.Now()) {
	}
	got := map[string]float64{}
	for _, one := range s.nodes {
		got[one.node] = one.entry.Usual
	}
	if want := map[string]float64{"own": 0, "other": 0, "unused": 0.003, "silent": 0}; !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
