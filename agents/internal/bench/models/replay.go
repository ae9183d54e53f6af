package models

import (
	"math/rand/v2"
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

// Outcome is the number of connections and of broken ones.
type Outcome struct{ Connections, Broken int }

// Replay opens connections as a lab's clients do, while changes happen, the first of them at time 0. A
// connection is broken when a later packet reaches another backend than its first. The same seed gives the
// same flows.
func Replay(m Model, traffic []topology.Traffic, span Span, changes []Change, seed uint64) Outcome {
	var outcome Outcome
	var replicas []string
	first, broken := map[uint64]string{}, map[uint64]bool{}
	for _, packet := range packetsOf(traffic, span.Before+span.Counted+span.After, seed) {
		for ; len(changes) > 0 && changes[0].At <= packet.at; changes = changes[1:] {
			replicas = changes[0].Replicas
			m.Set(changes[0].Backends, replicas)
		}
		backend := m.Pick(Packet{Flow: packet.flow, Replica: routed(packet.flow, replicas), First: packet.first})
		switch {
		case packet.first:
			if packet.at >= span.Before && packet.at < span.Before+span.Counted {
				outcome.Connections++
			}
			first[packet.flow] = backend
		case backend != first[packet.flow] && !broken[packet.flow]:
			broken[packet.flow] = true
			outcome.Broken++
		}
	}
	return outcome
}

// routed is a plain multipath route. It uses other hash bits than the choice of backends.
func routed(flow uint64, replicas []string) string {
	if len(replicas) == 0 {
		return ""
	}
	return replicas[flow>>32%uint64(len(replicas))]
}

type packet struct {
	at    time.Duration
	flow  uint64
	first bool
}

// packetsOf are all requests, in order of time. A connection that never ends is one flow.
func packetsOf(traffic []topology.Traffic, span time.Duration, seed uint64) []packet {
	random := rand.New(rand.NewPCG(seed, 0))
	var packets []packet
	for _, t := range traffic {
		pause := time.Duration(float64(time.Second) * float64(t.Connections) / t.PerSecond)
		for i := range t.Connections {
			at := time.Duration(float64(pause) * float64(i) / float64(t.Connections))
			var flow uint64
			for request, begun := i, false; at < span; at += pause {
				begins := !begun || t.RequestsPerConnection > 0 && request%t.RequestsPerConnection == 0
				begun = true
				if begins {
					flow = random.Uint64()
				}
				packets = append(packets, packet{at, flow, begins})
				request++
			}
		}
	}
	slices.SortStableFunc(packets, func(a, b packet) int { return int(a.at - b.at) })
	return packets
}
