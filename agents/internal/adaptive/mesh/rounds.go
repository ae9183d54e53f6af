package mesh

import (
	"math/rand/v2"
	"slices"
	"time"

	"fairlead.dev/agents/internal/adaptive/policy"
)

const (
	// every is how often figures are sent.
	every = 50 * time.Millisecond

	// promptedEvery is after which time figures are sent although the next prompt is missing.
	promptedEvery = 2 * every

	// receiversMost is how many peers get figures at the same time. With one datagram for each, a node
	// sends at most 620 a second.
	receiversMost = 31

	// In the worst case, a peer has the first turn of one round and the last of the next. With this many
	// turns in a round, that takes half of the time in which figures are usable: one datagram may be lost.
	turnsMost = (int(policy.OldestFigures/2/every) + 1) / 2

	// PeersMost is how many nodes can take turns.
	PeersMost = turnsMost * receiversMost
)

// rounds selects who gets figures next: in each round all peers in another random order, in as few
// turns as possible. Independent samples would leave some pair without figures for long: of 128 nodes,
// one waits for more than 3 s every four minutes.
type rounds struct {
	order []*link
	next  int
}

// start replaces the peers.
func (r *rounds) start(links []*link) { r.order, r.next = slices.Clone(links), len(links) }

// turn appends the peers whose turn it is. Those that aren't due use up no place.
func (r *rounds) turn(into []*link, due func(*link) bool) []*link {
	peers := len(r.order)
	if r.next == peers {
		rand.Shuffle(peers, func(i, j int) { r.order[i], r.order[j] = r.order[j], r.order[i] })
		r.next = 0
	}
	turns := (peers + receiversMost - 1) / receiversMost
	for r.next < peers && len(into)*turns < peers {
		if one := r.order[r.next]; due(one) {
			into = append(into, one)
		}
		r.next++
	}
	return into
}
