package mesh

import (
	"testing"
	"time"
)

func TestTheShortestRoundTripOfTheLastTenSecondsCounts(t *testing.T) {
	var all trips
	for _, step := range []struct{ at, took, want time.Duration }{
		{100 * time.Second, 5 * time.Millisecond, 5 * time.Millisecond},
		{100 * time.Second, 3 * time.Millisecond, 3 * time.Millisecond},
		{101 * time.Second, 4 * time.Millisecond, 3 * time.Millisecond},
		{102 * time.Second, 0, 3 * time.Millisecond},
		{102 * time.Second, -time.Millisecond, 3 * time.Millisecond},
		{109 * time.Second, 9 * time.Millisecond, 3 * time.Millisecond},
		{110 * time.Second, 8 * time.Millisecond, 4 * time.Millisecond},
		{111 * time.Second, 8 * time.Millisecond, 8 * time.Millisecond},
		{121 * time.Second, 0, 0},
	} {
		all.add(step.took, step.at)
		if got := all.shortest(step.at); got != step.want {
			t.Errorf("at %v: %v, want %v", step.at, got, step.want)
		}
	}
}
