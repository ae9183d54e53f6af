package bpf

import (
	"errors"
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
	over, err := findBygone(e, TcxMapConnections, sweepMost, func(key flowKey, flow flowEntry) bool {
		all++
		if c := bySlot[flow.Slot]; c != nil && e.model.slots[flow.Slot].entry.Incarnation == flow.Incarnation && isLive(key, flow, now) {
			c.LiveConnections++
		}
		return isOver(flow.Flags, key.Protocol, flow.Seen, now)
	})
	if err != nil {
		return 0, 0, err
	}
	if err := e.keepWord(&over); err != nil {
		return 0, 0, err
	}
	if err := over.takeOut(); err != nil {
		return 0, 0, err
	}
	learnt, err = e.sweep(now)
	return all - len(over.keys), learnt, err
}

// sweep takes out of the other tables what is over, and counts what stays learnt.
func (e *Engine) sweep(now uint32) (stays int, err error) {
	// Who has it tells of it again and again as long as it lives.
	learnt, err := findBygone(e, TcxMapLearnt, sweepMost, func(_ flowKey, flow flowEntry) bool {
		stays++
		return silentFor(flow.Seen, now, liveTCP)
	})
	if err != nil {
		return 0, err
	}
	// First packets that nothing followed here: their clients gave up, or went on at
	// another replica.
	halfOpen, err := findBygone(e, TcxMapHalfOpen, sweepMost, func(_ flowKey, flow flowEntry) bool {
		return silentFor(flow.Seen, now, overHalfOpen)
	})
	if err != nil {
		return 0, err
	}
	translated, err := findBygone(e, TcxMapNatFlows, sweepMost, func(key natKey, flow natFlow) bool {
		return isOver(flow.Flags, key.Protocol, flow.Seen, now)
	})
	if err != nil {
		return 0, err
	}
	return stays - len(learnt.keys), errors.Join(learnt.takeOut(), halfOpen.takeOut(), translated.takeOut())
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
