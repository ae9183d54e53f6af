package models

import (
	"cmp"
	"slices"
)

// beamer is stable hashing with daisy chaining (Olteanu et al., NSDI 2018). Replicas have no connections. A flow has a bucket, and
// a bucket a backend and the one before. A backend that gets a packet of a connection that it doesn't have sends it to the one
// before. So a connection breaks when its bucket moves twice.
type beamer struct {
	now, before [beamerBuckets]string
	sockets     map[uint64]string // of the servers
}

const beamerBuckets = 8009 // many for each backend; a prime, as in the paper

func newBeamer() *beamer { return &beamer{sockets: map[uint64]string{}} }

// Set moves as few buckets as possible: those of removed backends, and those that new ones need for their share.
func (m *beamer) Set(backends, _ []string) {
	count := map[string]int{}
	for _, owner := range m.now {
		count[owner]++
	}
	if len(backends) == 0 {
		for bucket := range m.now {
			m.move(bucket, "")
		}
		return
	}
	share := beamerBuckets / len(backends)
	for bucket, owner := range m.now {
		if slices.Contains(backends, owner) && count[owner] <= share+1 {
			continue
		}
		least := slices.MinFunc(backends, func(a, b string) int { return cmp.Compare(count[a], count[b]) })
		if slices.Contains(backends, owner) && count[least] >= share {
			continue
		}
		count[owner]--
		count[least]++
		m.move(bucket, least)
	}
}

func (m *beamer) move(bucket int, to string) {
	m.now[bucket], m.before[bucket] = to, m.now[bucket]
}

func (m *beamer) Pick(packet Packet) string {
	bucket := packet.Flow % beamerBuckets
	if packet.Kind != Data {
		m.sockets[packet.Flow] = m.now[bucket]
		return m.now[bucket]
	}
	if has := m.sockets[packet.Flow]; has == m.now[bucket] || has == m.before[bucket] {
		return has
	}
	return m.before[bucket] // the last of the chain resets the connection
}
