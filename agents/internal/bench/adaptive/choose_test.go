package adaptive

import (
	"testing"
	"time"
)

func TestTheFewestConnectionsAreChosenInTurns(t *testing.T) {
	c := &fewest{}
	if got := c.choose([]int{3, 2, 1, 2}); got != 2 {
		t.Errorf("chose %d", got)
	}
	seen := map[int]int{}
	for range 8 {
		seen[c.choose([]int{1, 1, 1, 1})]++
	}
	for node := range nodes {
		if seen[node] != 2 {
			t.Errorf("equal nodes: %v", seen)
		}
	}
}

// load is what nodes use, as a share of what they may.
type load [nodes]float64

func TestRAPLeavesABusyNodeForTheOneWithTheBestScore(t *testing.T) {
	for _, test := range []struct {
		name          string
		seconds       []load
		text, literal int
	}{
		{"local below the threshold", []load{{.89, .1, .1, .1}}, 0, 0},
		{"the least busy node above the threshold", []load{{.91, .5, .2, .3}}, 2, 2},
		{"no node is below the threshold", []load{{1, 1, 1, 1}}, 0, 0},
		{"no node is any more, so the pseudo-code keeps its choice", []load{{1, .5, .2, .3}, {1, 1, 1, 1}}, 0, 2},
		{"local again", []load{{1, .5, .2, .3}, {.5, .5, .2, .3}}, 0, 0},
	} {
		for literal, want := range map[bool]int{false: test.text, true: test.literal} {
			var now [nodes]usage
			r := newRAP(0, literal, func() [nodes]usage { return now })
			for i, used := range test.seconds {
				for node := range nodes {
					now[node].cpu += time.Duration(used[node] * nodeCores * float64(rapPeriod))
				}
				r.tick(time.Duration(i+1) * rapPeriod)
			}
			if got := r.choose(nil); got != want {
				t.Errorf("%s, literal %v: %d, want %d", test.name, literal, got, want)
			}
		}
	}
}

func TestRAPCountsMemoryToo(t *testing.T) {
	now := [nodes]usage{{ram: 0.95}, {ram: 0.5}, {ram: 0.1}, {ram: 0.92}}
	r := newRAP(0, false, func() [nodes]usage { return now })
	r.tick(rapPeriod)
	if got := r.choose(nil); got != 2 {
		t.Errorf("chose %d", got)
	}
}

func TestASurgeMultipliesTheRate(t *testing.T) {
	s := newSchedule(turnOrder{Rate: 1000, SurgeAfter: time.Second, Seed: 1})
	counts := map[bool]int{}
	for due := s.after(0); due < 2*time.Second; due = s.after(due) {
		counts[due >= time.Second]++
	}
	if counts[false] < 850 || counts[false] > 1150 || counts[true] < 3700 || counts[true] > 4300 {
		t.Errorf("%v", counts)
	}
	never := newSchedule(turnOrder{})
	if due := never.after(0); due < time.Hour {
		t.Errorf("without a rate, one is due after %v", due)
	}
}
