package models

import (
	"crypto/sha256"
	"math/rand/v2"
)

// sessionTable is Algorithm 1 of Hosseini, Jahangir and Daraby, "Session-persistent Load Balancing for
// Clustered Web Servers without Acting as a Reverse-proxy", as published: nothing leaves the tables, and
// each replica has its own. The paper doesn't describe several replicas; here, a server's messages pass the
// replica that the hello passed, which is the best case.
type sessionTable struct {
	servers  []string
	replicas map[string]*tables
	random   *rand.Rand
}

// tables are the state of one replica.
type tables struct {
	endpoints   map[uint64]bool   // of TCP connections that the replica answered and still has
	sessions    map[string]string // session id, or a ticket's hash, to server
	connections map[uint64]string // five-tuple to server
}

func newSessionTable() *sessionTable {
	m := &sessionTable{random: rand.New(rand.NewPCG(2, 1))}
	m.Set(nil, nil)
	return m
}

// Set keeps entries of servers that were removed, because the algorithm has no step that removes them.
func (m *sessionTable) Set(backends, replicas []string) {
	m.servers = backends
	if len(replicas) == 0 {
		replicas = []string{""} // a balancer without a router
	}
	kept := map[string]*tables{}
	for _, replica := range replicas {
		if kept[replica] = m.replicas[replica]; kept[replica] == nil {
			kept[replica] = &tables{map[uint64]bool{}, map[string]string{}, map[uint64]string{}}
		}
	}
	m.replicas = kept
}

// Pick has the line numbers of the algorithm.
func (m *sessionTable) Pick(packet Packet) string {
	at := m.replicas[packet.Replica]
	switch packet.Kind {
	case SYN: // 1
		at.endpoints[packet.Flow] = true // 2
		return ""
	case Hello: // 4
		server := at.sessions[sessionOf(packet)] // 5
		if server == "" {                        // 6
			server = m.selectServer() // 7
		}
		if !at.handOff(packet.Flow) { // 9
			return ""
		}
		at.connections[packet.Flow] = server // 10
		return server
	default: // 11
		return at.connections[packet.Flow] // 12 to 16; "" drops it
	}
}

// selectServer is random, as the text says.
func (m *sessionTable) selectServer() string {
	if len(m.servers) == 0 {
		return ""
	}
	return m.servers[m.random.IntN(len(m.servers))]
}

// handOff moves the replica's end of the connection to the server. Only the replica that answered the SYN
// has it.
func (t *tables) handOff(flow uint64) bool {
	has := t.endpoints[flow]
	delete(t.endpoints, flow)
	return has
}

// Watch adds the session id of each ServerHello, even if TLS 1.3 made it useless, and the hash of each
// ticket that the replica can read.
func (m *sessionTable) Watch(reply Reply) {
	sessions := m.replicas[reply.Replica].sessions
	for _, key := range []string{reply.SessionID, hashOf(reply.Ticket), hashOf(reply.Copy)} {
		if key != "" {
			sessions[key] = reply.Server
		}
	}
}

// sessionOf is SessionID(pkt) of the algorithm.
func sessionOf(packet Packet) string {
	if packet.Ticket != "" {
		return hashOf(packet.Ticket)
	}
	return packet.SessionID
}

func hashOf(ticket string) string {
	if ticket == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(ticket))
	return string(sum[:])
}
