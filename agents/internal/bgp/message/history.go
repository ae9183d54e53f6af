package message

import (
	"strings"

	"fairlead.dev/agents/internal/bgp"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

const transitionsMost = int(agentv1.Limit_LIMIT_REPORT_TRANSITIONS)

// History collects what sessions and services went through, until a report takes it. It
// belongs to one goroutine.
type History struct{ list []*agentv1.BgpTransition }

// Sessions takes in what an engine told of them.
func (h *History) Sessions(transitions []bgp.Transition) {
	for _, one := range transitions {
		h.Note(&agentv1.BgpTransition{
			Peer: one.Peer.String(), As: one.AS, From: string(one.From), To: string(one.State), At: Moment(one.At),
			Reason: strings.ToValidUTF8(one.Reason, "?"),
		})
	}
}

// Note takes one in. It moves what it has seldom.
func (h *History) Note(one *agentv1.BgpTransition) {
	h.list = append(h.list, one)
	if len(h.list) >= 2*transitionsMost {
		h.list = append(h.list[:0], h.newest()...)
	}
}

// Waiting is how many Take would hand over.
func (h *History) Waiting() int { return len(h.newest()) }

// Take hands them to a report.
func (h *History) Take() []*agentv1.BgpTransition {
	taken := h.newest()
	h.list = nil
	return taken
}

func (h *History) newest() []*agentv1.BgpTransition {
	return h.list[max(0, len(h.list)-transitionsMost):]
}
