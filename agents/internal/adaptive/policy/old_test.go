package policy

import (
	"math/rand/v2"
	"testing"
)

func TestNodesWithOldFiguresAreChosenByTheirBackends(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	counts, byCost := make([]int, 4), 0
	for range 100_000 {
		if node, chosen := PickOld([]uint32{4, 2, 3, 1}, []bool{false, true, false, true}, random.Uint32()); chosen {
			counts[node]++
		} else {
			byCost++
		}
	}
	for node, want := range []int{0, 20_000, 0, 10_000} {
		if counts[node] < want*97/100 || counts[node] > want*103/100 {
			t.Errorf("node %d was chosen %d times, want %d", node, counts[node], want)
		}
	}
	if byCost < 69_000 || byCost > 71_000 {
		t.Errorf("the cost chose %d times, want 70000", byCost)
	}
}

func TestNoOldNodeIsChosenWhereNoneHasBackends(t *testing.T) {
	for _, random := range []uint32{0, 1, 1 << 31, 1<<32 - 1} {
		if _, chosen := PickOld([]uint32{0, 0}, []bool{true, true}, random); chosen {
			t.Error("chosen without a backend")
		}
		if _, chosen := PickOld(nil, nil, random); chosen {
			t.Error("chosen without nodes")
		}
		if node, chosen := PickOld([]uint32{0, 1<<32 - 1}, []bool{true, true}, random); !chosen || node != 1 {
			t.Errorf("node %d, %v", node, chosen)
		}
	}
}
