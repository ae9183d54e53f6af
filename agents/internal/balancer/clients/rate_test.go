package clients

import (
	"math"
	"testing"
	"time"
)

func TestTheSamplingRateFollowsTheTraffic(t *testing.T) {
	for _, test := range []struct {
		name     string
		oneIn    uint32
		selected int
		span     time.Duration
		want     uint32
	}{
		{"little traffic is read whole", 1, 1000, time.Second, 1},
		{"a bit more", 1, 1001, time.Second, 2},
		{"it rises at once to what is needed", 1, 20_000, 20 * time.Millisecond, 1024},
		{"it stays", 64, 900, time.Second, 64},
		{"it falls by one step", 64, 400, time.Second, 32},
		{"without traffic it falls by a factor of four", 64, 0, time.Second, 16},
		{"down to all", 2, 0, time.Second, 1},
		{"it is limited", oneInMost, math.MaxInt32, time.Second, oneInMost},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := nextOneIn(test.oneIn, test.selected, test.span); got != test.want {
				t.Errorf("got 1 in %d, want 1 in %d", got, test.want)
			}
		})
	}
}
