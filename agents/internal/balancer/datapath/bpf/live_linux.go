package bpf

import (
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// Flows without packets for this long don't count as live. TCP may be silent for longer
// and stays known as long as the table has room.
const (
	liveTCP = 15 * time.Minute
	liveUDP = time.Minute
)

// isOver is true long after the last packet could have arrived. A client that sent FIN
// may still receive a lot; its acknowledgements count.
func isOver(flags, protocol uint8, seen, now uint32) bool {
	limit := overUDP
	switch {
	case flags&uint8(TcxFlowFlagsCLOSING) != 0:
		limit = overClosing
	case protocol == uint8(datapath.TCP):
		return false // may be silent for days; it is evicted only when the table is full
	}
	return silentFor(seen, now, limit)
}

const (
	overClosing  = time.Minute
	overUDP      = 5 * time.Minute
	overHalfOpen = 2 * time.Minute // longer than a client's pause between retries
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

// ageOf is in units of the programs' clock. Packets are carried during a walk, so an
// entry may be newer than now.
func ageOf(seen, now uint32) int32 { return int32(now - seen) }

func seenNow() uint32 { return uint32(monotonic() >> TcxLimitsSEEN_SHIFT) }

// ticks converts to units of the programs' clock.
func ticks(span time.Duration) int32 { return int32(span >> TcxLimitsSEEN_SHIFT) }
