package replica

import (
	"time"

	"fairlead.dev/agents/internal/session/message"
)

// progress is how far the session ids of one backend are known here.
type progress struct {
	last      uint64 // the number of the last one that is known
	requested uint64 // those up to this number were requested
	asked     time.Time
	repaired  uint64 // last, when what followed it was lost and requested again
	all       bool   // all were known once, so later ones arrive as they begin
	seen      uint64 // last, at the last repetition
	retries   int
}

// step is what a message of a companion leads to.
type step struct {
	store    bool
	complete bool // the companion has no more ids
	request  bool // the ids after a number
	after    uint64
}

// awaits reports whether ids that were requested may still arrive.
func (p *progress) awaits(now time.Time) bool {
	return p.requested > p.last && now.Sub(p.asked) < repeatEvery
}

// next returns what a message leads to. batch is how many ids one request is for: while one batch arrives, the next
// one is requested. What begins with the oldest that the companion has lacks nothing: it may have started again, with
// higher numbers.
func (p *progress) next(m message.Message, batch uint64, now time.Time) step {
	before := m.Last - uint64(len(m.IDs))
	complete := len(m.IDs) < message.IDsMost
	if m.Kind == message.AgedIDs {
		complete = m.Last >= m.Newest
	}
	switch {
	case m.Last < p.last || m.Last == p.last && !complete:
		return step{}
	case before > p.last && before != m.Before:
		return step{request: p.isLoss(m, now), after: p.last}
	case before > p.last:
		p.requested = before + max(p.requested, p.last) - p.last // as many as were requested
	}
	if complete {
		p.requested = m.Last
		return step{store: true, complete: true}
	}
	if m.Kind == message.SessionIDs { // a companion of an earlier version sends one message at a time
		return step{store: true, request: true, after: m.Last}
	}
	after := max(m.Last, p.requested)
	return step{store: true, request: after < m.Newest && after-m.Last <= batch, after: after}
}

// isLoss reports whether a message that doesn't follow the last known id is a reason to request what is missing. It is
// none while earlier ids are on their way.
func (p *progress) isLoss(m message.Message, now time.Time) bool {
	if !p.awaits(now) {
		return true
	}
	if m.Last > p.requested || p.repaired == p.last {
		return false
	}
	p.repaired = p.last
	return true
}
