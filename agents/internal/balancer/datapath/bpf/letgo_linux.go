package bpf

import (
	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/state"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/walk"
)

// have makes a model the current one.
func (e *Engine) have(m *state.Model) {
	e.model = m
	e.published.Publish(m)
}

// letGo deletes flows to removed or inactive backends, and of removed services. The
// programs ignore them already; this frees their room. It also announces the flows that a
// change of tables misplaced. It only waits for both if that is quick.
func (e *Engine) letGo(before, next *state.Model, moved []*state.Service) {
	e.published.Settle()
	var one *walk.Walk
	if before.Loses(next) {
		one = e.walker.Request(false)
	}
	if len(moved) > 0 {
		among := make(map[datapath.Key]bool, len(moved))
		for _, s := range moved {
			among[s.Key] = true
		}
		one = e.walker.Announce(among)
	}
	if one != nil {
		e.walker.Await(one)
	}
}

// quickRoomMost is how many entries all tables of flows may have together for the loop to
// wait for a walk: empty rows take time too.
const quickRoomMost = 1 << 21

// roomOfFlows is how many entries all tables of flows can have.
func (e *Engine) roomOfFlows() (room uint64) {
	for _, name := range program.FlowMaps {
		room += uint64(e.maps[name].MaxEntries())
	}
	return room
}
