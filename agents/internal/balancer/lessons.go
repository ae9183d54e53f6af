package balancer

import (
	"context"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// lesson is what was learnt at one time.
type lesson struct {
	at    time.Time
	flows []datapath.Flow
}

// remember keeps a bounded number of flows for a while.
func (h *handover) remember(learnt []datapath.Flow, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.recent = append(h.recent, lesson{now, learnt})
	kept := 0
	for i := len(h.recent) - 1; i >= 0; i-- {
		kept += len(h.recent[i].flows)
		if now.Sub(h.recent[i].at) > recentFor || kept > learntMost {
			h.recent = slices.Delete(h.recent, 0, i+1)
			return
		}
	}
}

// heard is what peers told, each flow once: one of them may be gone by now, and a
// replica that begins has nobody else to hear it from.
func (h *handover) heard(ctx context.Context) (all []datapath.Flow, err error) {
	for _, lesson := range h.lessons(time.Now()) { // also of backends that are not here yet
		all = append(all, lesson...)
	}
	if holder, can := h.keeper.(datapath.Holder); can {
		learnt, err := holder.LearntNow(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, learnt...)
	}
	type connection struct {
		service datapath.Key
		client  netip.AddrPort
	}
	youngest := map[connection]datapath.Flow{}
	for _, flow := range all {
		c := connection{flow.Service, flow.Client}
		if known, is := youngest[c]; !is || flow.Age <= known.Age { // of equals, the newest word counts
			youngest[c] = flow
		}
	}
	return slices.Collect(maps.Values(youngest)), nil
}

// lessons are those of late, the oldest first, with flows as old as they are now.
func (h *handover) lessons(now time.Time) (all [][]datapath.Flow) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, lesson := range h.recent {
		since := now.Sub(lesson.at)
		if since > recentFor {
			continue
		}
		aged := slices.Clone(lesson.flows)
		for i := range aged {
			aged[i].Age += since
		}
		all = append(all, aged)
	}
	return all
}

// learnAgain is for when services have changed.
func (h *handover) learnAgain() error {
	for _, lesson := range h.lessons(time.Now()) {
		if err := h.keeper.Learn(lesson); err != nil {
			return fmt.Errorf("learn again where other replicas placed flows: %w", err)
		}
	}
	return nil
}
