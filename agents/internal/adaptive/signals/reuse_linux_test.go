package signals

import "testing"

// A caller compares the last two, and the memory of the ones before is used again.
func TestTheLastTwoCountsAreValid(t *testing.T) {
	s := &Signals{services: []Service{{Number: 1}}}
	observe := func(arrived uint64) ServiceCounts {
		all := s.empty()
		all[1].Nodes[7] = Counts{Arrived: arrived}
		s.observed, s.former = all, s.observed
		return all[1]
	}
	before := observe(1)
	for arrived := uint64(2); arrived < 6; arrived++ {
		now := observe(arrived)
		if before.Nodes[7].Arrived != arrived-1 || now.Nodes[7].Arrived != arrived || len(now.Nodes) != 1 {
			t.Fatalf("%d: before %v, now %v", arrived, before.Nodes, now.Nodes)
		}
		before = now
	}
}
