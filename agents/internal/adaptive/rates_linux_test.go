package adaptive

import (
	"testing"
	"time"
)

func TestConnectionsPerSecondAreOfTheTimeSinceTheLastReport(t *testing.T) {
	before := map[string]uint64{"near": 100, "far": 10, "again": 50}
	for _, test := range []struct {
		name           string
		chosen, before map[string]uint64
		period         time.Duration
		want           float64
		isKnown        bool
	}{
		{"two nodes", map[string]uint64{"near": 130, "far": 20}, before, 10 * time.Second, 4, true},
		{"none", map[string]uint64{"near": 100}, before, 10 * time.Second, 0, true},
		{"a node that was added", map[string]uint64{"near": 130, "new": 7}, before, 10 * time.Second, 3, true},
		{"counts that began again", map[string]uint64{"near": 120, "again": 3}, before, 10 * time.Second, 2, true},
		{"the first report", map[string]uint64{"near": 130}, nil, 10 * time.Second, 0, false},
		{"no time", map[string]uint64{"near": 130}, before, 0, 0, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := perSecond(test.chosen, test.before, test.period)
			if (got != nil) != test.isKnown || got != nil && *got != test.want {
				t.Errorf("got %v, want %v (known: %v)", got, test.want, test.isKnown)
			}
		})
	}
}
