package mesh

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fairlead.dev/agents/internal/adaptive/policy"
	"fairlead.dev/agents/internal/events"
)

// Event reasons.
const (
	NodeFiguresMissing = "NodeFiguresMissing"
	NodeFiguresBack    = "NodeFiguresBack"
	NodeFiguresForged  = "NodeFiguresForged"
	NodeClockWrong     = "NodeClockWrong"
)

const (
	// missingAfter is how long figures are missing before that is an event. Traffic avoids the effects
	// after 3 s.
	missingAfter = 10 * time.Second

	// forgedEvery is how often an event reports forged datagrams in the name of one peer.
	forgedEvery = 10 * time.Minute

	// eachMost is how many nodes have an event of their own; more have one together.
	eachMost = 3
)

// state of an exchange.
type state int

const (
	starting state = iota // too early to judge
	exchanging
	silent
	unheard // it doesn't receive the datagrams of this node
	delayed
	wrongClock
)

// recorded is what events have shown.
type recorded struct {
	state    state
	forged   uint64
	forgedAt time.Duration // zero: never
}

// Events returns what happened since the last call. Call it regularly.
func (m *Mesh) Events() (all []events.Event) {
	return m.changes(m.Address() != "")
}

func (m *Mesh) changes(isListening bool) (all []events.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now, changed := m.now(), map[state][]string{}
	for _, node := range m.nodes() {
		one := m.links[node]
		if event, is := one.forgeries(now); is {
			all = append(all, event)
		}
		// Without a socket of this node, peers aren't to blame; Trouble returns why.
		if current := one.state(now); isListening && current != starting && current != one.recorded.state {
			if one.recorded.state != starting || current != exchanging {
				changed[current] = append(changed[current], node)
			}
			one.recorded.state = current
		}
	}
	for each := exchanging; each <= wrongClock; each++ {
		all = append(all, each.events(changed[each])...)
	}
	return all
}

// nodes are sorted.
func (m *Mesh) nodes() []string {
	nodes := make([]string, 0, len(m.links))
	for node := range m.links {
		nodes = append(nodes, node)
	}
	slices.Sort(nodes)
	return nodes
}

func (l *link) state(now time.Duration) state {
	switch {
	case l.isConfirmed(now, policy.OldestFigures):
		return exchanging
	case now-max(l.since, l.confirmedAt) < missingAfter:
		return l.recorded.state
	case !l.isHeard(now):
		return silent
	case l.last == Late:
		return delayed
	case l.last == TooFast:
		return wrongClock
	}
	return unheard
}

// forgeries returns an event if there were forged datagrams in the name of the peer.
func (l *link) forgeries(now time.Duration) (event events.Event, is bool) {
	count := l.counts[Forged] - l.recorded.forged
	if count == 0 || l.recorded.forgedAt != 0 && now-l.recorded.forgedAt < forgedEvery {
		return event, false
	}
	l.recorded.forged, l.recorded.forgedAt = l.counts[Forged], now
	return events.Event{Reason: NodeFiguresForged, Warning: true, Message: fmt.Sprintf(
		"Datagrams in the name of node %s were not signed by it: %d, the last from %s. They were dropped, and traffic isn't affected. Another host sent them, or the two nodes have different keys of the cluster.",
		l.Node, count, l.forger,
	)}, true
}

// events returns one for each node, or one for many.
func (s state) events(nodes []string) (all []events.Event) {
	if len(nodes) > eachMost {
		return []events.Event{s.event(fmt.Sprintf("nodes %s and %d more", strings.Join(nodes[:eachMost], ", "), len(nodes)-eachMost))}
	}
	for _, node := range nodes {
		all = append(all, s.event("node "+node))
	}
	return all
}

func (s state) event(nodes string) events.Event {
	const effect = "Their load is unknown, so connections go there by weight."
	switch s {
	case exchanging:
		return events.Event{Reason: NodeFiguresBack, Message: fmt.Sprintf("Figures are exchanged with %s again.", nodes)}
	case unheard:
		return missing("Datagrams of this node don't reach %s. %s Allow UDP in both directions.", nodes, effect)
	case delayed:
		return missing("Datagrams from %s arrive more than 3 s late. %s Look for a full queue on the path, or for an agent without CPU time.", nodes, effect)
	case wrongClock:
		event := missing("Datagrams from %s have times in the future. %s A clock there or here runs at a wrong speed: check the clock source of the VMs.", nodes, effect)
		event.Reason = NodeClockWrong
		return event
	}
	return missing("No figures arrive from %s. %s Check that the agents there run, and that UDP is allowed in both directions.", nodes, effect)
}

func missing(format string, nodes, effect string) events.Event {
	return events.Event{Reason: NodeFiguresMissing, Warning: true, Message: fmt.Sprintf(format, nodes, effect)}
}
