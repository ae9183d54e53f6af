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
func isOver(key flowKey, flow flowEntry, now uint32) bool {
	return isPast(key.Protocol, isClosing(flow), false, flow.Seen, now)
}

// isTranslatedOver knows more: what both sides have sent.
func isTranslatedOver(key natKey, flow natFlow, now uint32) bool {
	fin, rst := uint8(TcxNatStateSENT_FIN), uint8(TcxNatStateSENT_RST)
	either, both := flow.Side[0].State|flow.Side[1].State, flow.Side[0].State&flow.Side[1].State
	return isPast(key.Protocol, either&rst != 0 || both&fin != 0, either&fin != 0, flow.Seen, now)
}

func isPast(protocol uint8, closed, halfClosed bool, seen, now uint32) bool {
	switch {
	case closed:
		return silentFor(seen, now, overClosing)
	case protocol == uint8(datapath.UDP):
		return silentFor(seen, now, overUDP)
	case halfClosed:
		return silentFor(seen, now, overHalfClosed)
	}
	return false // TCP may be silent for days; it is evicted only when the table is full
}

const (
	overClosing    = time.Minute
	overUDP        = 5 * time.Minute
	overHalfClosed = 10 * time.Minute // longer than its port is kept
	overHalfOpen   = 2 * time.Minute  // longer than a client's pause between retries
)

// isClosing is true once the client sent FIN or RST; if the flow is translated, once it is
// over for both sides.
func isClosing(flow flowEntry) bool {
	return flow.Flags&uint8(TcxFlowFlagsCLOSING|TcxFlowFlagsRESET) != 0
}

func isLive(key flowKey, flow flowEntry, now uint32) bool {
	limit := liveTCP
	if key.Protocol == uint8(datapath.UDP) {
		limit = liveUDP
	}
	return !isClosing(flow) && !silentFor(flow.Seen, now, limit)
}

func silentFor(seen, now uint32, limit time.Duration) bool {
	return ageOf(seen, now) > ticks(limit)+1
}
