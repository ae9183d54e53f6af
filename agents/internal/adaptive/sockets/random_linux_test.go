package sockets

import (
	"math/rand/v2"
	"slices"
	"time"

	"fairlead.dev/agents/internal/adaptive/policy"
)

func newRandom() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

// randomCost has steps up to two minutes, and counts on both sides of the last step.
func randomCost(random *rand.Rand) Cost {
	cost := Cost{At: time.Now(), Cost: &policy.Cost{}}
	cost.Fixed = random.Uint64N(1 << 30)
	cost.Others, cost.Mine = uint32(random.UintN(80<<8)), uint32(random.UintN(3<<8))
	cost.Answers, cost.Spread = uint32(random.UintN(1<<8)), uint32(random.UintN(8<<8))
	for i := range cost.Steps {
		cost.Steps[i] = random.Uint64N(1 << 37)
	}
	slices.Sort(cost.Steps[:])
	cost.Slope = random.Uint64N(1 << 37)
	cost.Open, cost.PerConnection = uint32(random.UintN(4)), random.Uint64N(1<<30)
	return cost
}
