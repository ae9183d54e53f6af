package state

import (
	"math"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// Weighed is a backend with its share of new connections.
type Weighed struct {
	Slot   uint16
	Weight uint32
}

// PicksOf returns the alias table of backends (Vose): to draw one takes the same time for
// any number of them. One without a weight is never drawn.
func PicksOf(backends []Weighed) (picks program.Picks) {
	var total uint64
	var drawn []Weighed
	for _, b := range backends {
		if b.Weight > 0 && len(drawn) < len(picks.Pick) {
			drawn, total = append(drawn, b), total+uint64(b.Weight)
		}
	}
	picks.Count = uint32(len(drawn))
	left := make([]float64, len(drawn)) // of each backend's share, in picks
	var less, more []int                // than one pick
	for i, b := range drawn {
		left[i] = float64(b.Weight) * float64(len(drawn)) / float64(total)
		if left[i] < 1 {
			less = append(less, i)
		} else {
			more = append(more, i)
		}
	}
	for len(less) > 0 && len(more) > 0 {
		few, many := less[len(less)-1], more[len(more)-1]
		less = less[:len(less)-1]
		picks.Pick[few] = program.Pick{Share: uint32(left[few] * math.MaxUint32), Slot: drawn[few].Slot, Other: drawn[many].Slot}
		if left[many] -= 1 - left[few]; left[many] < 1 {
			more, less = more[:len(more)-1], append(less, many)
		}
	}
	for _, i := range append(less, more...) { // whole picks, but for rounding
		picks.Pick[i] = program.Pick{Share: math.MaxUint32, Slot: drawn[i].Slot, Other: drawn[i].Slot}
	}
	return picks
}
