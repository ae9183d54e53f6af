package bpf

import (
	"errors"
	"fmt"
	"time"

	"github.com/cilium/ebpf"

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
	var over []flowKey
	var ended []flowEntry
	err = inBatches(e.maps[TcxMapConnections], func(key flowKey, flow flowEntry) {
		all++
		if c := bySlot[flow.Slot]; c != nil && e.model.slots[flow.Slot].entry.Incarnation == flow.Incarnation && isLive(key, flow, now) {
			c.LiveConnections++
		}
		if isOver(flow.Flags, key.Protocol, flow.Seen, now) && len(over) < sweepMost {
			over, ended = append(over, key), append(ended, flow)
		}
	})
	if err != nil {
		return 0, 0, fmt.Errorf("read the connections: %w", err)
	}
	if err := e.keepWord(over, ended); err != nil {
		return 0, 0, err
	}
	if err := takeOut(e.maps[TcxMapConnections], over); err != nil {
		return 0, 0, err
	}
	learnt, err = e.sweep(now)
	return all - len(over), learnt, err
}

// sweep takes out of the other tables what is over, and counts what stays learnt.
func (e *Engine) sweep(now uint32) (stays int, err error) {
	var learnt []flowKey
	err = inBatches(e.maps[TcxMapLearnt], func(key flowKey, flow flowEntry) {
		stays++
		// Who has it tells of it again and again as long as it lives.
		if silentFor(flow.Seen, now, liveTCP) && len(learnt) < sweepMost {
			learnt = append(learnt, key)
		}
	})
	if err != nil {
		return 0, fmt.Errorf("read the learnt flows: %w", err)
	}
	halfOpen, err := e.neverOpened(now)
	if err != nil {
		return 0, err
	}
	var translated []natKey
	err = inBatches(e.maps[TcxMapNatFlows], func(key natKey, flow natFlow) {
		if isOver(flow.Flags, key.Protocol, flow.Seen, now) && len(translated) < sweepMost {
			translated = append(translated, key)
		}
	})
	if err != nil {
		return 0, fmt.Errorf("read the translated flows: %w", err)
	}
	return stays - len(learnt), errors.Join(
		takeOut(e.maps[TcxMapLearnt], learnt), takeOut(e.maps[TcxMapHalfOpen], halfOpen), takeOut(e.maps[TcxMapNatFlows], translated),
	)
}

// neverOpened are the first packets that nothing followed here: their clients gave
// up, or went on at another replica.
func (e *Engine) neverOpened(now uint32) (keys []flowKey, err error) {
	err = inBatches(e.maps[TcxMapHalfOpen], func(key flowKey, flow flowEntry) {
		if silentFor(flow.Seen, now, overHalfOpen) && len(keys) < sweepMost {
			keys = append(keys, key)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("read the half-open connections: %w", err)
	}
	return keys, nil
}

func takeOut[K any](from *ebpf.Map, over []K) error {
	for _, key := range over {
		if err := from.Delete(key); err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
			return fmt.Errorf("take out a flow that is over: %w", err)
		}
	}
	return nil
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
