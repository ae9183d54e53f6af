package bpf

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// sameTime is how far apart two replicas' words may be that are of the same time: each
// was under way for a moment. No client comes back to a port as soon.
const sameTime = 250 * time.Millisecond

// Learn implements datapath.FlowKeeper.
//
// A connection of ours may be of long ago: its packets went to another replica,
// which saw it end and its client begin anew from the same port. So the younger
// word counts, and who has it says so to a peer that hasn't.
func (e *Engine) Learn(flows []datapath.Flow) (unknown []datapath.Flow, err error) {
	e.learning.Lock()
	defer e.learning.Unlock()
	all, now := e.names.Load(), seenNow()
	var keys []flowKey
	over := bygone[flowKey, flowEntry]{table: e.maps[TcxMapConnections]}
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
		takes, outlived, err := e.takesWord(all, b, key, entry, now)
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
			return nil, fmt.Errorf("remember %d flows: %w", len(keys), err)
		}
	}
	// Not before: a packet that comes between would be of a connection that nobody knows.
	return unknown, over.takeOut()
}

// takesWord says whether what a peer told is not older than what is known here, and
// which connection of ours is, if one is: it gives way.
func (e *Engine) takesWord(all *names, told *name, key flowKey, entry flowEntry, now uint32) (takes bool, outlived *flowEntry, err error) {
	ours, found, err := e.find(TcxMapConnections, key)
	if err != nil {
		return false, nil, err
	}
	if b := all.keeper(ours); found && b != nil && b != told && told.delivery != datapath.NAT { // there, ours is more than a place
		closing := ours.Flags&uint8(TcxFlowFlagsCLOSING) != 0
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

// keepWord keeps what peers were told of flows that are over, for as long as they
// do: a new one on the same ports, at another backend, must be told to them. It places
// nothing here and is not passed on: who began that new one may never have heard of it.
func (e *Engine) keepWord(over *bygone[flowKey, flowEntry]) error {
	e.learning.Lock()
	defer e.learning.Unlock()
	looked := e.look()
	for i, key := range over.keys {
		ended := over.read[i]
		b, misplaced := looked.misplaced(key, ended)
		if b == nil || b.delivery == datapath.NAT || !misplaced && ended.Flags&uint8(TcxFlowFlagsTOLD|TcxFlowFlagsFROM_PEER) == 0 {
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
			return fmt.Errorf("keep what was told: %w", err)
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
		return flow, false, fmt.Errorf("look for a flow in %s: %w", name, err)
	}
	return flow, true, nil
}

// LearntNow lists what was learnt and is not over.
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
