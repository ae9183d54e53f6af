package agreement

import (
	"context"
	"fmt"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/lifetime"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/state"
)

// Learn implements Learn of datapath.FlowKeeper.
//
// A connection here may be outdated: its packets went to another replica, which saw it
// end and its client reuse the same port. So the younger entry counts, and a replica that
// has it announces it to a peer that has an older one.
func (x *Exchange) Learn(flows []datapath.Flow) (unknown []datapath.Flow, err error) {
	x.Learning.Lock()
	defer x.Learning.Unlock()
	all, now := x.published.Names(), program.SeenNow()
	var keys []program.FlowKey
	over := program.Stale[program.FlowKey, program.FlowEntry]{Table: x.maps[program.TcxMapConnections]}
	var entries []program.FlowEntry
	for _, flow := range flows {
		b := all.ByKey[flow.Service][flow.Backend]
		if b == nil {
			unknown = append(unknown, flow)
			continue
		}
		if b.Private || !flow.Client.IsValid() {
			continue
		}
		key := program.ToFlowKey(flow.Service, flow.Client)
		entry := program.FlowEntry{Incarnation: b.Incarnation, Seen: now - uint32(program.Ticks(flow.Age)), Slot: b.Slot}
		takes, outlived, err := x.accepts(all, b, key, entry, now)
		if err != nil {
			return nil, err
		}
		if takes {
			keys, entries = append(keys, key), append(entries, entry)
		}
		if outlived != nil {
			over.Add(key, *outlived)
		}
	}
	if len(keys) > 0 {
		if _, err := x.maps[program.TcxMapLearnt].BatchUpdate(keys, entries, nil); err != nil {
			return nil, fmt.Errorf("store %d flows: %w", len(keys), err)
		}
	}
	// Not before Put: a packet in between would belong to an unknown connection.
	return unknown, over.DeleteUnchanged()
}

// accepts reports whether a peer's entry is not older than the entry here, and returns
// our connection that it replaces, if any.
func (x *Exchange) accepts(all *state.Names, theirs *state.NamedBackend, key program.FlowKey, entry program.FlowEntry, now uint32) (takes bool, outlived *program.FlowEntry, err error) {
	ours, found, err := program.FindFlow(x.maps, program.TcxMapConnections, key)
	if err != nil {
		return false, nil, err
	}
	if b := all.Keeper(ours); found && b != nil && b != theirs && theirs.Delivery != datapath.NAT { // with NAT, our entry is more than a backend
		closing := lifetime.IsClosing(ours)
		younger := program.AgeOf(entry.Seen, ours.Seen)
		if younger > program.Ticks(program.SameTime) {
			if !closing {
				x.Announce(b.Aged(key, ours.Seen, now))
			}
			return false, nil, nil
		}
		if younger < -program.Ticks(program.SameTime) || closing {
			outlived = &ours
		}
	}
	known, found, err := program.FindFlow(x.maps, program.TcxMapLearnt, key)
	return !found || all.Keeper(known) == nil || program.AgeOf(entry.Seen, known.Seen) <= program.Ticks(program.SameTime), outlived, err
}

// KeepAnnounced keeps announced flows that are over, for as long as the peers do: a new
// one on the same ports, at another backend, must be announced to them. These entries
// place nothing here and aren't passed on: the replica with the new connection may not
// know of the old one.
func (x *Exchange) KeepAnnounced(looked *Look, keys []program.FlowKey, over []program.FlowEntry) error {
	x.Learning.Lock()
	defer x.Learning.Unlock()
	for i, key := range keys {
		ended := over[i]
		b, misplaced := looked.Misplaced(key, ended)
		if b == nil || b.Delivery == datapath.NAT || !misplaced && ended.Flags&uint8(program.TcxFlowFlagsANNOUNCED|program.TcxFlowFlagsFROM_PEER) == 0 {
			continue
		}
		word := program.FlowEntry{Incarnation: ended.Incarnation, Seen: ended.Seen, Slot: ended.Slot, Flags: uint8(program.TcxFlowFlagsCLOSING)}
		known, found, err := program.FindFlow(x.maps, program.TcxMapLearnt, key)
		if err != nil {
			return err
		}
		if found && program.AgeOf(word.Seen, known.Seen) > program.Ticks(program.SameTime) {
			continue
		}
		if err := x.maps[program.TcxMapLearnt].Put(key, word); err != nil {
			return fmt.Errorf("keep announced flows: %w", err)
		}
	}
	return nil
}

// LearntNow returns learnt flows that are not over.
func (x *Exchange) LearntNow(ctx context.Context) (flows []datapath.Flow, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	all, now := x.published.Names(), program.SeenNow()
	err = program.InBatches(x.maps[program.TcxMapLearnt], func(key program.FlowKey, flow program.FlowEntry) {
		if b := all.Keeper(flow); b != nil && lifetime.IsLive(key, flow, now) {
			flows = append(flows, b.Aged(key, flow.Seen, now))
		}
	})
	if err != nil {
		return nil, fmt.Errorf("walk the learnt flows: %w", err)
	}
	return flows, nil
}
