package models_test

import (
	"math"
	"testing"
	"time"

	"fairlead.dev/agents/internal/bench/models"
	"fairlead.dev/agents/internal/lab/topology"
)

// Each client opens a connection every second, for 20 seconds.
var returning = []topology.Traffic{{Connections: 500, PerSecond: 1000, RequestsPerConnection: 2}}

var halfMinute = models.Span{Counted: 20 * time.Second, After: time.Second}

const tenth = 1.0 / 10 // ten backends, of which one is chosen without a look at the session

func TestShareOfReturnsThatReachTheirBackend(t *testing.T) {
	for _, test := range []struct {
		resumption             string
		oneTable, ofThree, our float64
	}{
		// With three replicas and no change, a return is at the replica that has its session once in three.
		{"TLS 1.2 session id", 1, repeated(19), 1},
		{"TLS 1.2 ticket", 1, third, 1},
		{"TLS 1.3", tenth, tenth, 1},
		{"TLS 1.3, patched server", 1, third, 1},
		{"TLS 1.3, patched server, hello in two packets", tenth, tenth, 1},
		{"TLS 1.3, unnamed keys", tenth, tenth, tenth},
	} {
		t.Run(test.resumption, func(t *testing.T) {
			one := []models.Change{{Backends: names(10)}}
			three := []models.Change{{Backends: names(10), Replicas: names(3)}}
			kept(t, table+", one replica", replay(t, table, test.resumption, one), test.oneTable)
			kept(t, table+", three replicas", replay(t, table, test.resumption, three), test.ofThree)
			kept(t, ours, replay(t, ours, test.resumption, three), test.our)
			kept(t, "consistent hash", replay(t, "consistent hash", test.resumption, three), tenth)
		})
	}
}

// third is the chance of the right replica, or else of the right backend.
const third = 1.0/3 + 2.0/3*tenth

// repeated is higher: a server that resumes a session repeats its id, so another replica learns it. It is the
// mean of a client's returns, from the chance that one, two or three replicas have its session.
func repeated(returns int) float64 {
	chance, sum := [4]float64{1: 1}, 0.0
	for range returns {
		var next [4]float64
		for replicas := 1; replicas <= 3; replicas++ {
			hit := chance[replicas] * float64(replicas) / 3
			miss := chance[replicas] - hit
			sum += hit + miss*tenth
			next[replicas] += hit
			next[min(3, replicas+1)] += miss * tenth
			next[1] += miss * (1 - tenth)
		}
		chance = next
	}
	return sum / float64(returns)
}

func TestANewReplicaHasNoSessions(t *testing.T) {
	changes := []models.Change{{Backends: names(10), Replicas: []string{"lb-1"}}, {At: 10 * time.Second, Backends: names(10), Replicas: []string{"lb-2"}}}
	got := replay(t, table, "TLS 1.2 session id", changes)
	// One of about 19 returns of each client is the first at the new replica.
	kept(t, table, got, 1-(1-tenth)/19)
	if open := 250; got.Broken < open-20 || got.Broken > open+20 {
		t.Errorf("%+v: half of 500 clients have a connection with a packet to come, and all of those break", got)
	}
	if got := replay(t, ours, "TLS 1.2 session id", changes); got.Broken != 0 || got.Kept != got.Returns {
		t.Errorf("%s: %+v", ours, got)
	}
}

func TestTheTableSendsReturnsToRemovedBackends(t *testing.T) {
	changes := []models.Change{{Backends: names(10)}, {At: 10 * time.Second, Backends: names(5)}}
	got := replay(t, table, "TLS 1.2 ticket", changes)
	if got.Gone < 200 || got.Failed != got.Gone || got.Broken != 0 || got.Kept != got.Returns {
		t.Errorf("%+v: each first return to a removed backend must fail, and nothing else", got)
	}
	got = replay(t, ours, "TLS 1.2 ticket", changes)
	if got.Gone < 200 || got.Failed != 0 || got.Broken != 0 || got.Kept != got.Returns {
		t.Errorf("%s: %+v", ours, got)
	}
}

func replay(t *testing.T, model, resumption string, changes []models.Change) models.Outcome {
	t.Helper()
	for _, each := range models.Resumptions {
		if each.Name == resumption {
			return models.Replay(t.Context(), find(t, model), each, returning, halfMinute, changes, 1)
		}
	}
	t.Fatalf("no resumption %s", resumption)
	return models.Outcome{}
}

func kept(t *testing.T, name string, got models.Outcome, want float64) {
	t.Helper()
	share := float64(got.Kept) / float64(got.Returns)
	if got.Returns < 9000 || math.Abs(share-want) > 0.015 || (want == 1 && got.Kept != got.Returns) {
		t.Errorf("%s: %+v: %.3f of the returns reached their backend, want %.3f", name, got, share, want)
	}
}
