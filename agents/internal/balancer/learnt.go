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

// learntBatch is the flows of one message, which may be learnt again.
type learntBatch struct {
	at    time.Time
	flows []datapath.Flow
}

// remember keeps a bounded number of flows for a while.
func (h *handover) remember(received []datapath.Flow, now time.Time) *learntBatch {
	h.mu.Lock()
	defer h.mu.Unlock()
	one := &learntBatch{now, received}
	h.recent = append(h.recent, one)
	h.remembered += len(received)
	over := 0
	for over < len(h.recent) && (h.remembered > learntMost || now.Sub(h.recent[over].at) > recentFor) {
		h.remembered -= len(h.recent[over].flows)
		over++
	}
	h.recent = slices.Delete(h.recent, 0, over)
	return one
}

// keepOnly keeps only the flows of a batch that the engine did not learn.
func (h *handover) keepOnly(one *learntBatch, unknown []datapath.Flow) {
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

// received returns the flows learnt from peers, without duplicates: a peer may be gone by
// now, and a new replica has no other source for its flows.
func (h *handover) received(ctx context.Context) (all []datapath.Flow, err error) {
	for _, batch := range h.recentFlows(time.Now()) { // including flows of backends that are not known yet
		all = append(all, batch...)
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
		if known, is := youngest[c]; !is || flow.Age <= known.Age { // of equal ages, the last one counts
			youngest[c] = flow
		}
	}
	return slices.Collect(maps.Values(youngest)), nil
}

// recentFlows returns the recent batches, the oldest first, with current ages.
func (h *handover) recentFlows(now time.Time) (all [][]datapath.Flow) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, batch := range h.recent {
		since := now.Sub(batch.at)
		if since > recentFor {
			continue
		}
		aged := slices.Clone(batch.flows)
		for i := range aged {
			aged[i].Age += since
		}
		all = append(all, aged)
	}
	return all
}

// learnAgain is called when services have changed.
func (h *handover) learnAgain() error {
	for _, batch := range h.recentFlows(time.Now()) {
		if _, err := h.keeper.Learn(batch); err != nil {
			return fmt.Errorf("learn again where other replicas placed flows: %w", err)
		}
	}
	return nil
}
