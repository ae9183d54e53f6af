package models_test

import (
	"math"
	"testing"
	"time"

	"fairlead.dev/agents/internal/bench/models"
	"fairlead.dev/agents/internal/lab/topology"
)

// All connections live for the whole replay.
var fewer = []topology.Traffic{{Connections: 5_000, PerSecond: 5_000}}

func TestConnectionsThatBreakWhenReplicasAndBackendsChange(t *testing.T) {
	oneReplica := []models.Change{{Backends: names(22)}, {At: 5 * time.Second, Backends: names(30)}, {At: 10 * time.Second, Backends: names(38)}}
	both := []models.Change{
		{Backends: names(22), Replicas: names(3)},
		{At: 10 * time.Second, Backends: names(30), Replicas: names(4)},
	}
	const otherReplica = 0.75 // h mod 3 == h mod 4 for 3 of 12
	for name, want := range map[string]struct{ twice, both float64 }{
		"Maglev":  {0, otherReplica * 8 / 30},
		"Ananta":  {0, otherReplica * (1 - 2.0/30)},
		"Beamer":  {8.0 / 30 * 8 / 38, 0}, // a bucket that moves twice
		"Cheetah": {0, 0},
		"Yoda":    {0, 0},
		table:     {0, otherReplica},
		ours:      {0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			for _, test := range []struct {
				what    string
				changes []models.Change
				want    float64
			}{{"backends change twice", oneReplica, want.twice}, {"replicas and backends", both, want.both}} {
				got := models.Replay(t.Context(), find(t, name), models.Resumption{}, fewer, models.Span{Counted: 20 * time.Second}, test.changes, 1)
				rate := float64(got.Broken) / float64(got.Connections)
				if got.Connections != 5_000 || math.Abs(rate-test.want) > 0.02 || test.want == 0 && got.Broken > 0 || test.want > 0 && got.Broken == 0 {
					t.Errorf("%s: %+v: %.3f broke, %.3f were expected", test.what, got, rate, test.want)
				}
			}
		})
	}
}

func TestOnlyModelsWithSessionsReturnClients(t *testing.T) {
	changes := []models.Change{{Backends: names(10), Replicas: names(3)}}
	for _, name := range []string{"Maglev", "Ananta", "Beamer", "Cheetah", "Yoda"} {
		kept(t, name, replay(t, name, "TLS 1.2 ticket", changes), tenth)
	}
}

func TestRemovedBackendsKeepTheirConnections(t *testing.T) {
	changes := []models.Change{{Backends: names(30)}, {At: 10 * time.Second, Backends: names(22)}}
	for _, name := range []string{"Maglev", "Ananta", "Beamer", "Cheetah", "Yoda"} {
		got := models.Replay(t.Context(), find(t, name), models.Resumption{}, fewer, models.Span{Counted: 20 * time.Second}, changes, 1)
		if got.Connections != 5_000 || got.Broken+got.Failed > 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestBeamerMovesAsFewBucketsAsPossible(t *testing.T) {
	m := find(t, "Beamer")
	reached := func() map[uint64]string {
		at := map[uint64]string{}
		for flow := range uint64(8009) {
			at[flow] = m.Pick(models.Packet{Flow: flow})
		}
		return at
	}
	m.Set(names(22), nil)
	before := reached()
	m.Set(names(30), nil)
	grown := reached()
	m.Set(names(22), nil)
	shrunk := reached()
	moved := func(from, to map[uint64]string) (count int) {
		for flow := range from {
			if from[flow] != to[flow] {
				count++
			}
		}
		return count
	}
	const needed = 8009 * 8 / 30
	if grew, shrank := moved(before, grown), moved(grown, shrunk); grew < needed-30 || grew > needed+30 || shrank < needed-30 || shrank > needed+30 {
		t.Errorf("%d and %d buckets moved, %d have to", grew, shrank, needed)
	}
	load := map[string]int{}
	for _, backend := range grown {
		load[backend]++
	}
	for backend, buckets := range load {
		if len(load) != 30 || math.Abs(float64(buckets)-8009.0/30) > 2 {
			t.Errorf("%s has %d buckets", backend, buckets)
		}
	}
}
