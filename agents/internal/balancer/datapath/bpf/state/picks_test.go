package state

import (
	"math"
	"math/rand/v2"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

func sharesOf(picks program.Picks) map[uint16]float64 {
	shares := map[uint16]float64{}
	for _, p := range picks.Pick[:picks.Count] {
		first := float64(p.Share) / math.MaxUint32 / float64(picks.Count)
		shares[p.Slot] += first
		shares[p.Other] += 1/float64(picks.Count) - first
	}
	return shares
}

func TestPicksHaveTheSharesOfTheWeights(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var backends []Weighed
		var total float64
		for slot := range 1 + random.IntN(60) {
			one := Weighed{Slot: uint16(slot), Weight: uint32(random.IntN(5) * random.IntN(1_000_000))}
			backends, total = append(backends, one), total+float64(one.Weight)
		}
		shares := sharesOf(PicksOf(backends))
		for _, b := range backends {
			if want := float64(b.Weight) / max(total, 1); math.Abs(shares[b.Slot]-want) > 1e-6 {
				t.Fatalf("%v: backend %d has a share of %v, want %v", backends, b.Slot, shares[b.Slot], want)
			}
		}
	}
}

func TestWithoutWeightsNothingIsDrawn(t *testing.T) {
	if picks := PicksOf([]Weighed{{Slot: 1}}); picks.Count != 0 {
		t.Errorf("%d picks", picks.Count)
	}
}

func BenchmarkPicksOf1000(b *testing.B) {
	var backends []Weighed
	for slot := range 1000 {
		backends = append(backends, Weighed{Slot: uint16(slot), Weight: uint32(slot%7 + 1)})
	}
	for b.Loop() {
		PicksOf(backends)
	}
}
