package message

import (
	"strings"

	"fairlead.dev/agents/internal/bgp"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

const maxTransitions = int(agentv1.Limit_LIMIT_REPORT_TRANSITIONS)

// History collects transitions of sessions and services until a report takes them. It belongs to
// one goroutine.
type History struct{ list []*agentv1.BgpTransition }

// Sessions adds transitions of sessions.
func (h *History) Sessions(transitions []bgp.Transition) {
	for _, one := range transitions {
		h.Add(&agentv1.BgpTransition{
			Peer: one.Peer.String(), As: one.AS, From: string(one.From), To: string(one.State), At: Timestamp(one.At),
			Reason: strings.ToValidUTF8(one.Reason, "?"),
		})
	}
}

// Add appends a transition. It trims the list only at twice the limit.
func (h *History) Add(one *agentv1.BgpTransition) {
	h.list = append(h.list, one)
	if len(h.list) >= 2*maxTransitions {
		h.list = append(h.list[:0], h.newest()...)
	}
}

// Len is the number that Take would return.
func (h *History) Len() int { return len(h.newest()) }

// Take returns and removes the transitions.
func (h *History) Take() []*agentv1.BgpTransition {
	taken := h.newest()
	h.list = nil
	return taken
}

func (h *History) newest() []*agentv1.BgpTransition {
	return h.list[max(0, len(h.list)-maxTransitions):]
}
