package mesh

import (
	"math/rand/v2"
	"testing"
	"time"

	"fairlead.dev/agents/internal/adaptive/policy"
)

func TestEachPairHearsOftenEnough(t *testing.T) {
	const second = int(time.Second / every)
	for _, test := range []struct {
		nodes int
		gap   time.Duration // the longest between two turns
	}{
		{2, every},
		{32, every},
		{33, 3 * every},
		{128, 9 * every},
		{PeersMost + 1, policy.OldestFigures / 2},
	} {
		links := make([]*link, test.nodes-1)
		for i := range links {
			links[i] = &link{}
		}
		var r rounds
		r.start(links)
		last, longest, most := map[*link]int{}, 0, 0
		for turn := range 60 * second {
			now := r.turn(nil, func(*link) bool { return true })
			most = max(most, len(now))
			for _, one := range now {
				if before, known := last[one]; known {
					longest = max(longest, turn-before)
				} else {
					longest = max(longest, turn+1)
				}
				last[one] = turn
			}
		}
		if len(last) != len(links) {
			t.Errorf("%d nodes: %d peers had a turn", test.nodes, len(last))
		}
		if got := time.Duration(longest) * every; got > test.gap {
			t.Errorf("%d nodes: %s between two turns, want at most %s", test.nodes, got, test.gap)
		}
		if got := most * second; got > 620 {
			t.Errorf("%d nodes: %d turns a second", test.nodes, got)
		}
	}
}

// Of 128 nodes, a pair has at least six turns in 3 s, and twelve on average.
func TestLossSeldomLeavesAPairWithoutFigures(t *testing.T) {
	const nodes, loss, minutes = 128, 0.1, 10
	random := rand.New(rand.NewPCG(1, 2))
	links := make([]*link, nodes-1)
	for i := range links {
		links[i] = &link{}
	}
	var r rounds
	r.start(links)
	last, stale := map[*link]int{}, 0
	turns := minutes * int(time.Minute/every)
	for turn := range turns {
		for _, one := range r.turn(nil, func(*link) bool { return true }) {
			if random.Float64() >= loss {
				stale += max(0, turn-last[one]-int(policy.OldestFigures/every))
				last[one] = turn
			}
		}
	}
	if share := float64(stale) / float64(turns*len(links)); share > 1e-5 {
		t.Errorf("a pair is without figures for %.6f of the time", share)
	}
}

// Nodes that are down leave their places to the others.
func TestPeersThatAreNotDueUseNoPlaces(t *testing.T) {
	links := make([]*link, 127)
	down := map[*link]bool{}
	for i := range links {
		links[i] = &link{}
		down[links[i]] = i%2 == 0
	}
	var r rounds
	r.start(links)
	const second = int(time.Second / every)
	count := map[*link]int{}
	for range 10 * second {
		for _, one := range r.turn(nil, func(l *link) bool { return !down[l] }) {
			count[one]++
		}
	}
	for _, one := range links {
		if down[one] && count[one] > 0 {
			t.Fatal("a peer that is down had a turn")
		}
		if !down[one] && count[one] < 10*second/3-1 {
			t.Fatalf("%d turns in 10 s while half of the peers are down", count[one])
		}
	}
}

func TestASilentPeerGetsAHelloASecond(t *testing.T) {
	one := link{since: time.Hour}
	due := func(from, span time.Duration) (count int) {
		for now := from; now < from+span; now += every {
			if one.isDue(now) {
				one.header(1, 2, now)
				count++
			}
		}
		return count
	}
	if got, want := due(time.Hour, quietAfter), int(quietAfter/every); got != want {
		t.Errorf("at first: %d in 10 s", got)
	}
	if got := due(time.Hour+quietAfter, 100*time.Second); got != 100 {
		t.Errorf("later: %d in 100 s", got)
	}
	one.heardAt = 2 * time.Hour
	if got := due(2*time.Hour, time.Second); got != 20 {
		t.Errorf("after it sent something: %d in a second", got)
	}
}
