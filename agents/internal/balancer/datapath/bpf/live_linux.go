package bpf

import (
	"errors"
	"fmt"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// A flow that nobody heard of for so long is not counted among the living. TCP
// may be silent for longer and stays known as long as the table has room.
const (
	liveTCP = 15 * time.Minute
	liveUDP = time.Minute
)

// countLive walks the connection table, because entries leave it without a word.
// What is over for long is taken out, so that it doesn't push out what lives.
func (e *Engine) countLive(bySlot map[uint16]*datapath.Counts) (all, learnt int, err error) {
	now := seenNow()
	var over bygone[flowKey, flowEntry]
	err = inBatches(e.maps[TcxMapConnections], func(key flowKey, flow flowEntry) {
		all++
		if c := bySlot[flow.Slot]; c != nil && e.model.slots[flow.Slot].entry.Incarnation == flow.Incarnation && isLive(key, flow, now) {
			c.LiveConnections++
		}
		if isOver(flow.Flags, key.Protocol, flow.Seen, now) && len(over.keys) < sweepMost {
			over.add(key, flow)
		}
	})
	if err != nil {
		return 0, 0, fmt.Errorf("read the connections: %w", err)
	}
	if err := e.keepWord(&over); err != nil {
		return 0, 0, err
	}
	if err := over.takeOut(e.maps[TcxMapConnections]); err != nil {
		return 0, 0, err
	}
	learnt, err = e.sweep(now)
	return all - len(over.keys), learnt, err
}

// sweep takes out of the other tables what is over, and counts what stays learnt.
func (e *Engine) sweep(now uint32) (stays int, err error) {
	var learnt, halfOpen bygone[flowKey, flowEntry]
	err = inBatches(e.maps[TcxMapLearnt], func(key flowKey, flow flowEntry) {
		stays++
		// Who has it tells of it again and again as long as it lives.
		if silentFor(flow.Seen, now, liveTCP) && len(learnt.keys) < sweepMost {
			learnt.add(key, flow)
		}
	})
	if err != nil {
		return 0, fmt.Errorf("read the learnt flows: %w", err)
	}
	// First packets that nothing followed here: their clients gave up, or went on at
	// another replica.
	err = inBatches(e.maps[TcxMapHalfOpen], func(key flowKey, flow flowEntry) {
		if silentFor(flow.Seen, now, overHalfOpen) && len(halfOpen.keys) < sweepMost {
			halfOpen.add(key, flow)
		}
	})
	if err != nil {
		return 0, fmt.Errorf("read the half-open connections: %w", err)
	}
	var translated bygone[natKey, natFlow]
	err = inBatches(e.maps[TcxMapNatFlows], func(key natKey, flow natFlow) {
		if isOver(flow.Flags, key.Protocol, flow.Seen, now) && len(translated.keys) < sweepMost {
			translated.add(key, flow)
		}
	})
	if err != nil {
		return 0, fmt.Errorf("read the translated flows: %w", err)
	}
	return stays - len(learnt.keys), errors.Join(
		learnt.takeOut(e.maps[TcxMapLearnt]), halfOpen.takeOut(e.maps[TcxMapHalfOpen]), translated.takeOut(e.maps[TcxMapNatFlows]),
	)
}

// sweepMost bounds the work of one sweep.
const sweepMost = 16384

// isOver is true long after the last packet could have come. A client that sent
// FIN may still be sent much to; its acknowledgements count as life.
func isOver(flags, protocol uint8, seen, now uint32) bool {
	limit := overUDP
	switch {
	case flags&uint8(TcxFlowFlagsCLOSING) != 0:
		limit = overClosing
	case protocol == uint8(datapath.TCP):
		return false // may be silent for days; it gives way only when the table is full
	}
	return silentFor(seen, now, limit)
}

const (
	overClosing  = time.Minute
	overUDP      = 5 * time.Minute
	overHalfOpen = 2 * time.Minute // longer than a client pauses between its tries
)

func isLive(key flowKey, flow flowEntry, now uint32) bool {
	limit := liveTCP
	if key.Protocol == uint8(datapath.UDP) {
		limit = liveUDP
	}
	return flow.Flags&uint8(TcxFlowFlagsCLOSING) == 0 && !silentFor(flow.Seen, now, limit)
}

func silentFor(seen, now uint32, limit time.Duration) bool {
	return ageOf(seen, now) > ticks(limit)+1
}

// ageOf is in units of the programs' clock. Packets are carried while a table is
// walked, so one may have been seen after now.
func ageOf(seen, now uint32) int32 { return int32(now - seen) }

func seenNow() uint32 { return uint32(monotonic() >> TcxLimitsSEEN_SHIFT) }

// ticks are so long in units of the programs' clock.
func ticks(span time.Duration) int32 { return int32(span >> TcxLimitsSEEN_SHIFT) }
