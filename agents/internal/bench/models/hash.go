package models

// hash is a router alone, or replicas without state: the flow's hash modulo the number of backends. Nearly
// every connection moves when that number changes.
type hash struct{ backends []string }

func (m *hash) Set(backends, _ []string) { m.backends = backends }

func (m *hash) Pick(packet Packet) string {
	if len(m.backends) == 0 {
		return ""
	}
	return m.backends[packet.Flow%uint64(len(m.backends))]
}
