package sockets

import (
	"cmp"
	"fmt"
	"math"
	"net/netip"
	"slices"
	"time"

	"fairlead.dev/agents/internal/adaptive/program"
	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/boottime"
)

const decisionsMost = 100

// Decision is why a sampled connection went where it did.
type Decision struct {
	At         time.Time
	Service    datapath.Key
	Backend    netip.AddrPort
	Node       string
	ByWeight   bool        // the share of nodes whose figures are too old
	Candidates []Candidate // the compared nodes
}

// Candidate is a node that was compared.
type Candidate struct {
	Node   string
	Beside float64       // requests there, as estimated
	Cost   time.Duration // of one more
	TooOld bool          // its figures, so that it has no cost
}

// decisions returns the newest samples whose service and backend still exist.
func (e *Engine) decisions() (out []Decision, err error) {
	samples, err := first[program.SocketsDecision](e.maps[program.SocketsMapSamples], uint32(program.SocketsLimitsSAMPLES))
	if err != nil {
		return nil, fmt.Errorf("read the sampled decisions: %w", err)
	}
	slices.SortFunc(samples, func(a, b program.SocketsDecision) int { return cmp.Compare(b.Sequence, a.Sequence) })
	now, boot := time.Now(), boottime.Now()
	for i := range samples {
		s := &samples[i]
		if s.Sequence == 0 || len(out) == decisionsMost {
			break // being written, or never
		}
		if decision, known := e.decisionOf(s); known {
			decision.At = now.Add(time.Duration(s.At) - boot)
			out = append(out, decision)
		}
	}
	slices.Reverse(out)
	return out, nil
}

func (e *Engine) decisionOf(s *program.SocketsDecision) (out Decision, known bool) {
	backend, known := e.state.backends[s.Backend]
	place, placed := e.state.places[uint32(backend.Place)]
	if !known || !placed || int(s.Count) > len(s.Candidates) {
		return out, false
	}
	out = Decision{
		Service: program.FromServiceKey(place.Service), Backend: addressOfBackend(backend), Node: e.nameOf(place.Node),
		ByWeight: s.Reason == uint16(program.SocketsReasonBY_WEIGHT),
	}
	for _, c := range s.Candidates[:s.Count] {
		candidate := Candidate{Node: e.nameOf(e.state.places[c.Place].Node)}
		if candidate.TooOld = c.Cost == math.MaxUint64; !candidate.TooOld {
			candidate.Beside, candidate.Cost = float64(c.Beside)/(1<<program.SocketsLimitsFRACTION), time.Duration(c.Cost)
		}
		out.Candidates = append(out.Candidates, candidate)
	}
	return out, true
}
