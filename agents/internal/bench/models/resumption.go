package models

import (
	"crypto/sha256"
	"math/rand/v2"
	"slices"
)

// Resumption is how clients return to their TLS session, and what servers do for it.
type Resumption struct {
	Name    string
	Ticket  bool // in place of a session id
	TLS13   bool // tickets are encrypted on their way to the client
	Patched bool // the server sends each balancer a clear copy of the tickets
	Unnamed bool // tickets don't begin with the name of the server's key
	Split   bool // the hello comes in two packets, and its second has the ticket
}

// Resumptions are in display order. A TLS 1.3 hello with a post-quantum key share needs two packets, and its
// PSK is always at its end.
var Resumptions = []Resumption{
	{Name: "TLS 1.2 session id"},
	{Name: "TLS 1.2 ticket", Ticket: true},
	{Name: "TLS 1.3", Ticket: true, TLS13: true},
	{Name: "TLS 1.3, patched server", Ticket: true, TLS13: true, Patched: true},
	{Name: "TLS 1.3, patched server, hello in two packets", Ticket: true, TLS13: true, Patched: true, Split: true},
	{Name: "TLS 1.3, unnamed keys", Ticket: true, TLS13: true, Unnamed: true},
}

// Sizes of what OpenSSL sends.
const (
	sessionIDSize = 32
	keyNameSize   = 16
	ticketSize    = 192
)

// session is what a client keeps until it returns.
type session struct{ server, id, ticket string }

// clients are all clients of a replay, and the servers' side of their handshakes.
type clients struct {
	Resumption
	sessions map[int]session // by client
	random   *rand.ChaCha8
}

func newClients(resumption Resumption, seed uint64) *clients {
	var key [32]byte
	for i := range 8 {
		key[i] = byte(seed >> (8 * i))
	}
	return &clients{resumption, map[int]session{}, rand.NewChaCha8(key)}
}

// connect begins a connection and returns the backend that has it; "" is none. A client whose connection
// failed doesn't offer its session again, which is the best case.
func (c *clients) connect(m Model, client int, packet Packet, backends []string) string {
	packet.Kind = SYN
	m.Pick(packet)
	hello := c.hello(client, packet)
	backend := c.send(m, hello)
	if !slices.Contains(backends, backend) {
		delete(c.sessions, client)
		return ""
	}
	reply := c.reply(client, backend, hello)
	if watcher, ok := m.(Watcher); ok {
		watcher.Watch(reply)
	}
	return backend
}

func (c *clients) hello(client int, packet Packet) Packet {
	has := c.sessions[client]
	packet.Kind, packet.SessionID, packet.Ticket = Hello, has.id, has.ticket
	if c.Ticket {
		packet.SessionID = c.bytes(sessionIDSize)
	}
	return packet
}

// send returns the backend that the hello reached. The first part of a split one has no ticket.
func (c *clients) send(m Model, hello Packet) string {
	if !c.Split {
		return m.Pick(hello)
	}
	first := hello
	first.Ticket, first.More = "", true
	m.Pick(first)
	hello.Kind = HelloRest
	return m.Pick(hello)
}

// reply is the server's side of the handshake. A client that reaches another server has a session there
// afterwards. With TLS 1.3, each connection gets a new ticket.
func (c *clients) reply(client int, server string, hello Packet) Reply {
	has := c.sessions[client]
	resumed := has.server == server
	switch {
	case !c.Ticket && !resumed:
		has = session{server: server, id: c.bytes(sessionIDSize)}
	case c.TLS13 || c.Ticket && !resumed:
		has = session{server: server, ticket: c.ticket(server)}
	}
	c.sessions[client] = has
	reply := Reply{Replica: hello.Replica, Server: server, TLS13: c.TLS13}
	switch {
	case !c.Ticket:
		reply.SessionID = has.id
	case c.TLS13:
		reply.SessionID = hello.SessionID
		if c.Patched {
			reply.Copy = has.ticket
		}
	case resumed:
		reply.SessionID = hello.SessionID
	default:
		reply.Ticket = has.ticket
	}
	return reply
}

func (c *clients) ticket(server string) string {
	if c.Unnamed {
		return c.bytes(ticketSize)
	}
	return keyName(server) + c.bytes(ticketSize-keyNameSize)
}

func (c *clients) bytes(size int) string {
	bytes := make([]byte, size)
	_, _ = c.random.Read(bytes) // never fails
	return string(bytes)
}

// keyName is the name of the key that a server uses for new tickets.
func keyName(server string) string {
	sum := sha256.Sum256([]byte("key of " + server))
	return string(sum[:keyNameSize])
}
