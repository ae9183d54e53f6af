package mesh

import (
	"time"

	"fairlead.dev/agents/internal/adaptive/policy"
)

// tripSeconds is how many seconds the shortest round trip is selected from. Single ones are longer, because the agents
// or the network were busy, but none is shorter.
const tripSeconds = 10

// trips are the shortest round trips of the last seconds.
type trips [tripSeconds]struct {
	second int64
	least  time.Duration
}

// add records the time that a datagram to the peer and the next one back took, from when each was written until the
// kernel had received it.
func (t *trips) add(took, now time.Duration) {
	if took <= 0 {
		return // clocks are corrected between the two
	}
	second := int64(now / time.Second)
	one := &t[second%tripSeconds]
	if one.second != second || took < one.least {
		one.second, one.least = second, took
	}
}

// shortest returns 0 if there was none.
func (t *trips) shortest(now time.Duration) (least time.Duration) {
	second := int64(now / time.Second)
	for _, one := range t {
		if one.least > 0 && second-one.second < tripSeconds && (least == 0 || one.least < least) {
			least = one.least
		}
	}
	return least
}

// RoundTrip returns the shortest one to a node in the last ten seconds; 0 if no datagram returned.
func (m *Mesh) RoundTrip(node string) time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	if one := m.links[node]; one != nil {
		return one.trips.shortest(m.now())
	}
	return 0
}

// IsExchanging reports whether datagrams of a node were accepted within the time in which figures can be used.
func (m *Mesh) IsExchanging(node string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	one := m.links[node]
	return one != nil && one.isConfirmed(m.now(), policy.OldestFigures)
}
