package bpf

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// sameTime is the tolerance for equal times from two replicas, because messages take a
// moment. No client reuses a port as soon.
const sameTime = 250 * time.Millisecond

// Learn implements datapath.FlowKeeper.
//
// A connection here may be outdated: its packets went to another replica, which saw it
// end and its client reuse the same port. So the younger entry counts, and a replica that
// has it announces it to a peer that has an older one.
func (e *Engine) Learn(flows []datapath.Flow) (unknown []datapath.Flow, err error) {
	e.learning.Lock()
	defer e.learning.Unlock()
	all, now := e.names.Load(), seenNow()
	var keys []flowKey
	over := stale[flowKey, flowEntry]{table: e.maps[TcxMapConnections]}
	var entries []flowEntry
	for _, flow := range flows {
		b := all.byKey[flow.Service][flow.Backend]
		if b == nil {
			unknown = append(unknown, flow)
			continue
		}
		if !flow.Client.IsValid() {
			continue
		}
		key := toFlowKey(flow.Service, flow.Client)
		entry := flowEntry{Incarnation: b.incarnation, Seen: now - uint32(ticks(flow.Age)), Slot: b.slot}
		takes, outlived, err := e.accepts(all, b, key, entry, now)
		if err != nil {
			return nil, err
		}
		if takes {
			keys, entries = append(keys, key), append(entries, entry)
		}
		if outlived != nil {
			over.add(key, *outlived)
		}
	}
	if len(keys) > 0 {
		if _, err := e.maps[TcxMapLearnt].BatchUpdate(keys, entries, nil); err != nil {
			return nil, fmt.Errorf("store %d flows: %w", len(keys), err)
		}
	}
	// Not before Put: a packet in between would belong to an unknown connection.
	return unknown, over.deleteUnchanged()
}

// accepts reports whether a peer's entry is not older than the entry here, and returns
// our connection that it replaces, if any.
func (e *Engine) accepts(all *names, theirs *name, key flowKey, entry flowEntry, now uint32) (takes bool, outlived *flowEntry, err error) {
	ours, found, err := e.find(TcxMapConnections, key)
	if err != nil {
		return false, nil, err
	}
	if b := all.keeper(ours); found && b != nil && b != theirs && theirs.delivery != datapath.NAT { // with NAT, our entry is more than a backend
		closing := isClosing(ours)
		younger := ageOf(entry.Seen, ours.Seen)
		if younger > ticks(sameTime) {
			if !closing {
				e.news.put(b.aged(key, ours.Seen, now))
			}
			return false, nil, nil
		}
		if younger < -ticks(sameTime) || closing {
			outlived = &ours
		}
	}
	known, found, err := e.find(TcxMapLearnt, key)
	return !found || all.keeper(known) == nil || ageOf(entry.Seen, known.Seen) <= ticks(sameTime), outlived, err
}

// keepAnnounced keeps announced flows that are over, for as long as the peers do: a new
// one on the same ports, at another backend, must be announced to them. These entries
// place nothing here and aren't passed on: the replica with the new connection may not
// know of the old one.
func (e *Engine) keepAnnounced(looked *look, over *stale[flowKey, flowEntry]) error {
	e.learning.Lock()
	defer e.learning.Unlock()
	for i, key := range over.keys {
		ended := over.read[i]
		b, misplaced := looked.misplaced(key, ended)
		if b == nil || b.delivery == datapath.NAT || !misplaced && ended.Flags&uint8(TcxFlowFlagsANNOUNCED|TcxFlowFlagsFROM_PEER) == 0 {
			continue
		}
		word := flowEntry{Incarnation: ended.Incarnation, Seen: ended.Seen, Slot: ended.Slot, Flags: uint8(TcxFlowFlagsCLOSING)}
		known, found, err := e.find(TcxMapLearnt, key)
		if err != nil {
			return err
		}
		if found && ageOf(word.Seen, known.Seen) > ticks(sameTime) {
			continue
		}
		if err := e.maps[TcxMapLearnt].Put(key, word); err != nil {
			return fmt.Errorf("keep announced flows: %w", err)
		}
	}
	return nil
}

func (e *Engine) find(name string, key flowKey) (flow flowEntry, found bool, err error) {
	err = e.maps[name].Lookup(key, &flow)
	if errors.Is(err, ebpf.ErrKeyNotExist) {
		return flow, false, nil
	}
	if err != nil {
		return flow, false, fmt.Errorf("look up a flow in %s: %w", name, err)
	}
	return flow, true, nil
}

// LearntNow returns learnt flows that are not over.
func (e *Engine) LearntNow(ctx context.Context) (flows []datapath.Flow, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	all, now := e.names.Load(), seenNow()
	err = inBatches(e.maps[TcxMapLearnt], func(key flowKey, flow flowEntry) {
		if b := all.keeper(flow); b != nil && isLive(key, flow, now) {
			flows = append(flows, b.aged(key, flow.Seen, now))
		}
	})
	if err != nil {
		return nil, fmt.Errorf("walk the learnt flows: %w", err)
	}
	return flows, nil
}
