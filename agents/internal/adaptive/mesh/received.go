package mesh

import (
	"time"

	"fairlead.dev/agents/internal/adaptive/policy"
)

// Received are figures of a service at a peer.
type Received struct {
	Service string // its ID
	policy.Figures
	Age time.Duration // at most, by this node's clock
}

// received are the newest figures of one service. The zero value is none.
type received struct {
	policy.Figures
	number uint64        // of the datagram
	sent   time.Duration // the earliest time at which it can have been sent
}

// store keeps figures that are newer than the known ones. Services that this node doesn't have are
// ignored, which bounds the memory.
func (l *link) store(all []numbered, number uint64, sent time.Duration, services map[uint64]int) {
	for _, one := range all {
		at, known := services[one.service]
		if known && number > l.received[at].number {
			l.received[at] = received{one.Figures, number, sent}
		}
	}
}

// latest appends the figures that aren't too old.
func (l *link) latest(into []Received, services []Service, now time.Duration) []Received {
	for i, one := range l.received {
		if age := now - one.sent; one.sent != 0 && age <= policy.OldestFigures {
			into = append(into, Received{services[i].ID, one.Figures, age})
		}
	}
	return into
}
