package models

// keyNames is our own design: a replica has nothing that another can't get.
//
//   - It answers a SYN by a cookie that all replicas can check, and keeps nothing.
//   - Tickets begin with the name of the server's key, which the config has; all servers can use all keys.
//   - Session ids are reported to all replicas by a program next to the server.
//   - A replica that doesn't know a connection asks the servers, whose socket tables are the truth.
//
// Lost reports and the time that they take are not in the model; tests between network namespaces have them.
type keyNames struct {
	consistent                   // places new sessions
	names      map[string]string // a key's name to backend, of those that take connections
	ids        map[string]string
	sockets    map[uint64]string
}

func newKeyNames() *keyNames {
	return &keyNames{ids: map[string]string{}, sockets: map[uint64]string{}}
}

func (m *keyNames) Set(backends, replicas []string) {
	m.consistent.Set(backends, replicas)
	m.names = map[string]string{}
	for _, backend := range backends {
		m.names[keyName(backend)] = backend
	}
}

func (m *keyNames) Pick(packet Packet) string {
	switch packet.Kind {
	case SYN:
		return ""
	case Hello, HelloRest:
		if packet.More {
			return "" // the parts are joined first
		}
		backend := m.find(packet)
		if backend == "" {
			backend = m.consistent.Pick(packet)
		}
		m.sockets[packet.Flow] = backend
	}
	return m.sockets[packet.Flow]
}

// find returns the backend of the session if it takes connections.
func (m *keyNames) find(packet Packet) string {
	if len(packet.Ticket) >= keyNameSize {
		return m.names[packet.Ticket[:keyNameSize]]
	}
	return m.names[keyName(m.ids[packet.SessionID])]
}

func (m *keyNames) Watch(reply Reply) {
	if reply.SessionID != "" && !reply.TLS13 {
		m.ids[reply.SessionID] = reply.Server
	}
}
