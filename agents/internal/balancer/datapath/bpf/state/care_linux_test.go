package state

import (
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// Backends that are added or removed one after the other also finish one after the other,
// and each time some rows move between backends that stay.
func TestNoRowMovesThatWasNotInDoubtBefore(t *testing.T) {
	at := map[int]datapath.State{}
	for id := 1; id <= 16; id++ {
		at[id] = datapath.Active
	}
	m, before := NewModel(), (*program.Table)(nil)
	for step, change := range []struct {
		id int
		to datapath.State
	}{
		{0, ""}, {29, datapath.Filling}, {22, datapath.Filling}, {25, datapath.Filling}, {20, datapath.Filling},
		{29, datapath.Active}, {22, datapath.Active}, {3, datapath.Draining}, {25, datapath.Active}, {20, datapath.Active},
		{25, datapath.Draining}, {9, datapath.Draining}, {3, datapath.Inactive}, {25, datapath.Inactive}, {9, datapath.Inactive},
	} {
		if change.id > 0 {
			at[change.id] = change.to
		}
		var ids []int
		for id := 1; id < 30; id++ {
			if at[id] != "" {
				ids = append(ids, id)
			}
		}
		service := plannedService(80, ids...)
		for i, id := range ids {
			service.Backends[i].State = at[id]
		}
		m = planned(t, m, service)
		most := comingFirstMost
		s := m.Services[0]
		now := s.build(s.coming(&most))
		for i := range now.Row {
			if before != nil && now.Row[i].Settled != before.Row[i].Settled && Agree(before, uint32(i), before.Row[i].Settled) {
				t.Fatalf("step %d: row %d moves, and its connections were not announced", step, i)
			}
		}
		before = now
	}
}
