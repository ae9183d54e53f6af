package models

import (
	"context"
	"slices"
	"time"

	"fairlead.dev/agents/internal/lab/topology"
)

// Change is the backends and replicas from a time on.
type Change struct {
	At       time.Duration
	Backends []string // for new connections, sorted
	Replicas []string // used by the router, sorted
}

// Span is a time of traffic. Connections opened in its middle part count; breaks count always, as with real
// traffic.
type Span struct{ Before, Counted, After time.Duration }

// Outcome is the number of connections, and of those that went wrong.
type Outcome struct {
	Connections, Broken int // connections that clients tried, and established ones that broke
	Failed              int // never established: their backend takes no connections
	Returns             int // with a session of a backend that takes connections
	Kept                int // of the returns, those that reached it
	Gone                int // with a session of a backend that takes no connections any more
}

// Replay opens connections as a lab's clients do, while changes happen, the first of them at time 0. Each
// client opens one connection after another, and offers the TLS session of the one before. A connection is
// broken when a later packet reaches another backend than its hello; a backend that takes no connections
// still has those that began there. The same seed gives the same flows. When the context ends, so does the
// replay, and its outcome is incomplete.
func Replay(ctx context.Context, m Model, resumption Resumption, traffic []topology.Traffic, span Span, changes []Change, seed uint64) Outcome {
	var outcome Outcome
	var current Change
	clients := newClients(resumption, seed)
	first, broken := map[uint64]string{}, map[uint64]bool{}
	for packet := range packetsOf(traffic, span.Before+span.Counted+span.After, seed) {
		if ctx.Err() != nil {
			return outcome
		}
		for ; len(changes) > 0 && changes[0].At <= packet.at; changes = changes[1:] {
			current = changes[0]
			m.Set(current.Backends, current.Replicas)
		}
		replica := routed(packet.flow, current.Replicas)
		if packet.first {
			owner := clients.sessions[packet.client].server
			backend := clients.connect(m, packet.client, Packet{Flow: packet.flow, Replica: replica}, current.Backends)
			if packet.at >= span.Before && packet.at < span.Before+span.Counted {
				outcome.count(owner, backend, current.Backends)
			}
			if backend != "" {
				first[packet.flow] = backend
			}
			continue
		}
		began, established := first[packet.flow]
		if established && !broken[packet.flow] && m.Pick(Packet{Flow: packet.flow, Replica: replica, Kind: Data}) != began {
			broken[packet.flow] = true
			outcome.Broken++
		}
	}
	return outcome
}

// count adds a connection that a backend has; owner is the backend of the session that the client offered.
func (o *Outcome) count(owner, backend string, backends []string) {
	o.Connections++
	if backend == "" {
		o.Failed++
	}
	switch {
	case owner == "":
	case !slices.Contains(backends, owner):
		o.Gone++
	default:
		o.Returns++
		if backend == owner {
			o.Kept++
		}
	}
}

// routed is a plain multipath route. It uses other hash bits than the choice of backends.
func routed(flow uint64, replicas []string) string {
	if len(replicas) == 0 {
		return ""
	}
	return replicas[flow>>32%uint64(len(replicas))]
}
