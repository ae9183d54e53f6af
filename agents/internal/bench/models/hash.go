package models

// hash is a router alone, or replicas without memory: the remainder of the flow's
// hash. Nearly every connection moves when the number of backends changes.
type hash struct{ backends []string }

func (m *hash) Set(backends, _ []string) { m.backends = backends }

func (m *hash) Pick(packet Packet) string {
	if len(m.backends) == 0 {
		return ""
	}
	return m.backends[packet.Flow%uint64(len(m.backends))]
}
