package bpf

import (
	"context"
	"fmt"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// learn implements Learn of datapath.FlowKeeper.
//
// A connection here may be outdated: its packets went to another replica, which saw it
// end and its client reuse the same port. So the younger entry counts, and a replica that
// has it announces it to a peer that has an older one.
func (x *Exchange) learn(flows []datapath.Flow) (unknown []datapath.Flow, err error) {
	x.learning.Lock()
	defer x.learning.Unlock()
	all, now := x.published.names(), seenNow()
	var keys []flowKey
	over := stale[flowKey, flowEntry]{table: x.maps[TcxMapConnections]}
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
		takes, outlived, err := x.accepts(all, b, key, entry, now)
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
		if _, err := x.maps[TcxMapLearnt].BatchUpdate(keys, entries, nil); err != nil {
			return nil, fmt.Errorf("store %d flows: %w", len(keys), err)
		}
	}
	// Not before Put: a packet in between would belong to an unknown connection.
	return unknown, over.deleteUnchanged()
}

// accepts reports whether a peer's entry is not older than the entry here, and returns
// our connection that it replaces, if any.
func (x *Exchange) accepts(all *names, theirs *name, key flowKey, entry flowEntry, now uint32) (takes bool, outlived *flowEntry, err error) {
	ours, found, err := findFlow(x.maps, TcxMapConnections, key)
	if err != nil {
		return false, nil, err
	}
	if b := all.keeper(ours); found && b != nil && b != theirs && theirs.delivery != datapath.NAT { // with NAT, our entry is more than a backend
		closing := isClosing(ours)
		younger := ageOf(entry.Seen, ours.Seen)
		if younger > ticks(sameTime) {
			if !closing {
				x.announce(b.aged(key, ours.Seen, now))
			}
			return false, nil, nil
		}
		if younger < -ticks(sameTime) || closing {
			outlived = &ours
		}
	}
	known, found, err := findFlow(x.maps, TcxMapLearnt, key)
	return !found || all.keeper(known) == nil || ageOf(entry.Seen, known.Seen) <= ticks(sameTime), outlived, err
}

// keepAnnounced keeps announced flows that are over, for as long as the peers do: a new
// one on the same ports, at another backend, must be announced to them. These entries
// place nothing here and aren't passed on: the replica with the new connection may not
// know of the old one.
func (x *Exchange) keepAnnounced(looked *look, keys []flowKey, over []flowEntry) error {
	x.learning.Lock()
	defer x.learning.Unlock()
	for i, key := range keys {
		ended := over[i]
		b, misplaced := looked.misplaced(key, ended)
		if b == nil || b.delivery == datapath.NAT || !misplaced && ended.Flags&uint8(TcxFlowFlagsANNOUNCED|TcxFlowFlagsFROM_PEER) == 0 {
			continue
		}
		word := flowEntry{Incarnation: ended.Incarnation, Seen: ended.Seen, Slot: ended.Slot, Flags: uint8(TcxFlowFlagsCLOSING)}
		known, found, err := findFlow(x.maps, TcxMapLearnt, key)
		if err != nil {
			return err
		}
		if found && ageOf(word.Seen, known.Seen) > ticks(sameTime) {
			continue
		}
		if err := x.maps[TcxMapLearnt].Put(key, word); err != nil {
			return fmt.Errorf("keep announced flows: %w", err)
		}
	}
	return nil
}

// learntNow returns learnt flows that are not over.
func (x *Exchange) learntNow(ctx context.Context) (flows []datapath.Flow, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	all, now := x.published.names(), seenNow()
	err = inBatches(x.maps[TcxMapLearnt], func(key flowKey, flow flowEntry) {
		if b := all.keeper(flow); b != nil && isLive(key, flow, now) {
			flows = append(flows, b.aged(key, flow.Seen, now))
		}
	})
	if err != nil {
		return nil, fmt.Errorf("walk the learnt flows: %w", err)
	}
	return flows, nil
}
