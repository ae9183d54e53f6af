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

// lesson is what was told at one time, and may be learnt once more.
type lesson struct {
	at    time.Time
	flows []datapath.Flow
}

// remember keeps a bounded number of flows for a while.
func (h *handover) remember(told []datapath.Flow, now time.Time) *lesson {
	h.mu.Lock()
	defer h.mu.Unlock()
	one := &lesson{now, told}
	h.recent = append(h.recent, one)
	h.remembered += len(told)
	over := 0
	for over < len(h.recent) && (h.remembered > learntMost || now.Sub(h.recent[over].at) > recentFor) {
		h.remembered -= len(h.recent[over].flows)
		over++
	}
	h.recent = slices.Delete(h.recent, 0, over)
	return one
}

// keepOnly forgets what of a lesson has been learnt.
func (h *handover) keepOnly(one *lesson, unknown []datapath.Flow) {
	h.mu.Lock()
	defer h.mu.Unlock()
	at := slices.Index(h.recent, one)
	if at < 0 {
		return
	}
	h.remembered += len(unknown) - len(one.flows)
	if one.flows = unknown; len(unknown) == 0 {
		h.recent = slices.Delete(h.recent, at, at+1)
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
		if _, err := h.keeper.Learn(lesson); err != nil {
			return fmt.Errorf("learn again where other replicas placed flows: %w", err)
		}
	}
	return nil
}
