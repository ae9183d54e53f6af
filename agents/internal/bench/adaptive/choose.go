package adaptive

import (
	"math/rand/v2"
	"time"
)

// chooser is a strategy that chooses in the clients' process of a node.
type chooser interface {
	// choose returns a node. open are this node's own requests in flight, by node.
	choose(open []int) int
}

// ticker is a chooser that measures from time to time.
type ticker interface {
	chooser
	tick(now time.Duration)
}

type atRandom struct{}

func (atRandom) choose([]int) int { return rand.IntN(nodes) }

type inTurns struct{ next int }

func (c *inTurns) choose([]int) int {
	c.next = (c.next + 1) % nodes
	return c.next
}

// local prefers its own node, which always has a backend in this lab.
type local struct{ entry int }

func (c local) choose([]int) int { return c.entry }

// fewest is by own requests; equal ones take turns.
type fewest struct{ turn int }

func (c *fewest) choose(open []int) int {
	c.turn++
	best := c.turn % nodes
	for i := range nodes {
		if node := (c.turn + i) % nodes; open[node] < open[best] {
			best = node
		}
	}
	return best
}

// newChooser returns the chooser of a subject for a node; nil if the kernel chooses.
func newChooser(subject string, entry int, read func() [nodes]usage) chooser {
	switch subject {
	case random:
		return atRandom{}
	case roundRobin:
		return &inTurns{next: entry}
	case sameNode:
		return local{entry}
	case leastConnections:
		return &fewest{turn: entry}
	case rapText, rapPseudocode:
		return newRAP(entry, subject == rapPseudocode, read)
	}
	return nil
}
