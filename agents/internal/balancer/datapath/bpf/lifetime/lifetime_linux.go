package lifetime

import (
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// Flows without packets for this long don't count as live. TCP may be silent for longer
// and stays known as long as the table has room.
const (
	LiveTCP = 15 * time.Minute
	liveUDP = time.Minute
)

// IsOver is true long after the last packet could have arrived. A client that sent FIN
// may still receive a lot; its acknowledgements count.
func IsOver(key program.FlowKey, flow program.FlowEntry, now uint32) bool {
	return isPast(key.Protocol, IsClosing(flow), false, flow.Seen, now)
}

// IsTranslatedOver knows more: what both sides have sent.
func IsTranslatedOver(key program.NatKey, flow program.NatFlow, now uint32) bool {
	fin, rst := uint8(program.TcxNatStateSENT_FIN), uint8(program.TcxNatStateSENT_RST)
	either, both := flow.Side[0].State|flow.Side[1].State, flow.Side[0].State&flow.Side[1].State
	return isPast(key.Protocol, either&rst != 0 || both&fin != 0, either&fin != 0, flow.Seen, now)
}

func isPast(protocol uint8, closed, halfClosed bool, seen, now uint32) bool {
	switch {
	case closed:
		return SilentFor(seen, now, overClosing)
	case protocol == uint8(datapath.UDP):
		return SilentFor(seen, now, overUDP)
	case halfClosed:
		return SilentFor(seen, now, overHalfClosed)
	}
	return false // TCP may be silent for days; it is evicted only when the table is full
}

const (
	overClosing    = time.Minute
	overUDP        = 5 * time.Minute
	overHalfClosed = 10 * time.Minute // longer than its port is kept
	OverHalfOpen   = 2 * time.Minute  // longer than a client's pause between retries
)

// IsClosing is true once the client sent FIN or RST; if the flow is translated, once it is
// over for both sides.
func IsClosing(flow program.FlowEntry) bool {
	return flow.Flags&uint8(program.TcxFlowFlagsCLOSING|program.TcxFlowFlagsRESET) != 0
}

// IsLive reports whether a connection counts as live.
func IsLive(key program.FlowKey, flow program.FlowEntry, now uint32) bool {
	limit := LiveTCP
	if key.Protocol == uint8(datapath.UDP) {
		limit = liveUDP
	}
	return !IsClosing(flow) && !SilentFor(flow.Seen, now, limit)
}

// SilentFor reports whether the last packet was longer ago than a limit.
func SilentFor(seen, now uint32, limit time.Duration) bool {
	return program.AgeOf(seen, now) > program.Ticks(limit)+1
}
