package sockets

import (
	"testing"

	"fairlead.dev/agents/internal/adaptive/policy"
)

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
