package models_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"fairlead.dev/agents/internal/bench/models"
	"fairlead.dev/agents/internal/lab/topology"
)

func names(count int) []string {
	var all []string
	for i := range count {
		all = append(all, fmt.Sprintf("b-%03d", i))
	}
	return all
}

var halfway = []models.Change{{Backends: names(22)}, {At: 10 * time.Second, Backends: names(30)}}

// All connections live for the whole replay, so every moved connection breaks.
var lasting = []topology.Traffic{{Connections: 20_000, PerSecond: 20_000}}

func TestEachModelBreaksTheExpectedShare(t *testing.T) {
	for name, moved := range map[string]float64{
		"ECMP hash":       1 - 2.0/30, // h mod 22 == h mod 30 for 22 of lcm(22, 30) = 330
		"consistent hash": 8.0 / 30,   // new backends take their share
		table:             0,          // connections stay in it
		ours:              0,
	} {
		t.Run(name, func(t *testing.T) {
			got := models.Replay(t.Context(), find(t, name), models.Resumption{}, lasting, models.Span{Counted: 20 * time.Second}, halfway, 1)
			rate := float64(got.Broken) / float64(got.Connections)
			if got.Connections != 20_000 || math.Abs(rate-moved) > 0.02 {
				t.Errorf("%+v: %.3f broke, %.3f were expected", got, rate, moved)
			}
		})
	}
}

func TestOnlyTheTableOfOneReplicaBreaksWithoutAChangeOfBackends(t *testing.T) {
	changes := []models.Change{{Backends: names(3), Replicas: names(3)}, {At: time.Second, Backends: names(3), Replicas: names(4)}}
	for _, known := range models.All {
		got := models.Replay(t.Context(), known.New(), models.Resumption{}, lasting, models.Span{Counted: 3 * time.Second}, changes, 1)
		if known.Name == table {
			// h mod 3 == h mod 4 for 3 of 12: the others reach a replica without their entry.
			if rate := float64(got.Broken) / float64(got.Connections); math.Abs(rate-0.75) > 0.02 {
				t.Errorf("%s: %+v", known.Name, got)
			}
		} else if got.Broken != 0 {
			t.Errorf("%s: %+v", known.Name, got)
		}
		if got := models.Replay(t.Context(), known.New(), models.Resumption{}, lasting, models.Span{Counted: 3 * time.Second}, []models.Change{{}}, 1); got.Broken != 0 {
			t.Errorf("%s without backends: %+v", known.Name, got)
		}
	}
}

func TestShortConnectionsBreakLess(t *testing.T) {
	short := []topology.Traffic{{Connections: 1000, PerSecond: 2000, RequestsPerConnection: 2}}
	got := models.Replay(t.Context(), find(t, "ECMP hash"), models.Resumption{}, short, models.Span{Counted: 20 * time.Second}, halfway, 1)
	// Each lives for half a second of 20, and half of all slots are between two.
	if rate := float64(got.Broken) / float64(got.Connections); got.Connections < 19_000 || rate < 0.015 || rate > 0.04 {
		t.Errorf("%+v", got)
	}
}

func TestConnectionsOfTheMiddlePartCount(t *testing.T) {
	short := []topology.Traffic{{Connections: 1000, PerSecond: 2000, RequestsPerConnection: 2}}
	span := models.Span{Before: 5 * time.Second, Counted: 10 * time.Second, After: 5 * time.Second}
	if got := models.Replay(t.Context(), find(t, "ECMP hash"), models.Resumption{}, short, span, halfway, 1); got.Connections != 10_000 || got.Broken == 0 {
		t.Errorf("%+v", got)
	}
}

func TestTheSameSeedReplaysTheSame(t *testing.T) {
	run := func(seed uint64) models.Outcome {
		return models.Replay(t.Context(), find(t, "consistent hash"), models.Resumption{}, lasting, models.Span{Counted: 12 * time.Second}, halfway, seed)
	}
	if run(1) != run(1) || run(1) == run(2) {
		t.Errorf("%v, %v, %v", run(1), run(1), run(2))
	}
}

func find(t *testing.T, name string) models.Model {
	t.Helper()
	known, err := models.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return known.New()
}
