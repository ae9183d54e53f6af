package models

import "fairlead.dev/agents/internal/balancer/maglev"

// consistent is a Maglev table without a connection table: only the connections in reassigned rows move.
type consistent struct {
	backends []string
	table    *maglev.Table
}

func (m *consistent) Set(backends, _ []string) {
	members := make([]maglev.Member, len(backends))
	for i, backend := range backends {
		members[i] = maglev.Member{ID: backend, Weight: 1}
	}
	m.backends, m.table = backends, maglev.Build(members)
}

func (m *consistent) Pick(packet Packet) string {
	index := m.table[packet.Flow%maglev.Rows]
	if index == maglev.Empty {
		return ""
	}
	return m.backends[index]
}
