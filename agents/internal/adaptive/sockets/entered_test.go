package sockets

import (
	"testing"
	"time"

	"fairlead.dev/agents/internal/adaptive/policy"
)

func TestConnectionsFromOutsideAreThoseOfTheTimeOfFigures(t *testing.T) {
	began := time.Now()
	var e entered
	if got := e.at(1, began); got != 0 {
		t.Errorf("before the first read: %d", got)
	}
	for i := range uint64(enteredMost + 2) {
		e.add(enteredRead{time: began.Add(time.Duration(i) * time.Second), open: []uint64{0, i}})
	}
	for _, test := range []struct {
		name string
		slot uint32
		at   time.Duration
		want uint64
	}{
		{"at a read", 1, 5 * time.Second, 5},
		{"between two reads", 1, 5*time.Second + time.Millisecond, 5},
		{"after the last one", 1, time.Minute, 9},
		{"before the oldest that is kept", 1, 0, 2},
		{"a place that is newer", 7, 5 * time.Second, 0},
	} {
		if got := e.at(test.slot, began.Add(test.at)); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}

func TestFiguresCountConnectionsFromOutsideForThisNode(t *testing.T) {
	lasting := policy.Cost{}
	lasting.Calculate(policy.Figures{InFlight: 4, Cores: 1, ServiceTime: 1}, policy.Entry{Connections: policy.Connections{Life: 60, Rate: 1}})
	for _, test := range []struct {
		name        string
		cost        policy.Cost
		connections uint64
		others      uint32
		mine        uint32
	}{
		{"some of those of others", policy.Cost{Others: 5 << 8, Mine: 1 << 8}, 2, 3 << 8, 3 << 8},
		{"more than there are in flight", policy.Cost{Others: 5 << 8}, 9, 0, 5 << 8},
		{"where connections last", lasting, 2, 4 << 8, 0},
	} {
		cost := toCost(&Cost{Cost: &test.cost}, 0)
		attribute(&cost, test.connections)
		if cost.Others != test.others || cost.Mine != test.mine {
			t.Errorf("%s: others %d and mine %d, want %d and %d", test.name, cost.Others, cost.Mine, test.others, test.mine)
		}
	}
}
