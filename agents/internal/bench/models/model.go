// Package models has published methods of choosing a backend, each as a few lines of arithmetic,
// and replays traffic and changes on them, to compare their breaks with measured ones, and how many
// clients return to the backend that has their TLS session. Each is in its own file; none sends a
// packet.
package models

import (
	"fmt"
	"strings"
)

// Model decides where packets go. Each replay creates a new one.
type Model interface {
	// Set replaces the backends that take new connections, sorted, and the replicas the router uses.
	Set(backends, replicas []string)

	// Pick returns the backend that a packet reaches; "" is none.
	Pick(packet Packet) string
}

// Watcher is a model that also uses what servers send.
type Watcher interface {
	Model

	// Watch gets the messages of one handshake, on their way from the server.
	Watch(Reply)
}

// Kind is what a packet of a client has.
type Kind int

// A connection begins with SYN and Hello, and HelloRest if the hello needs two packets.
const (
	SYN Kind = iota
	Hello
	HelloRest
	Data
)

// Packet is the input of a model.
type Packet struct {
	Flow    uint64 // hash of addresses and ports
	Replica string // chosen by the router
	Kind    Kind

	// Of a hello, as far as this packet has it.
	SessionID string // TLS 1.3 clients, and those with a ticket, send random ones
	Ticket    string // or the identity of a PSK
	More      bool   // the rest of the hello follows
}

// Reply is what a balancer can read of a server's handshake.
type Reply struct {
	Replica   string // that the client's hello passed
	Server    string
	TLS13     bool
	SessionID string // of ServerHello; TLS 1.3 servers repeat that of the client
	Ticket    string // of NewSessionTicket, which TLS 1.3 encrypts
	Copy      string // of an encrypted ticket, which a patched server sends to the balancer
}

// Known is a model with its published result.
type Known struct {
	Name      string
	Published *float64 // percent of connections broken, by its authors or by an independent comparison; nil: not published
	New       func() Model
}

// All are the models, in display order. To add one, add a file and a line.
var All = []Known{
	{"ECMP hash", new(0.947), func() Model { return &hash{} }},
	{"consistent hash", new(0.666), func() Model { return &consistent{} }},
	{"Maglev", nil, func() Model { return newMaglev() }},
	{"Ananta", nil, func() Model { return newAnanta() }},
	{"Beamer", new(0.049), func() Model { return newBeamer() }},
	{"Cheetah", new(0.0), func() Model { return newCheetah() }},
	{"Yoda", nil, func() Model { return newYoda() }},
	{"TLS session table", nil, func() Model { return newSessionTable() }},
	{"Fairlead sessions (model)", nil, func() Model { return newKeyNames() }},
}

// Find returns the model of that name.
func Find(name string) (Known, error) {
	var names []string
	for _, known := range All {
		if known.Name == name {
			return known, nil
		}
		names = append(names, known.Name)
	}
	return Known{}, fmt.Errorf("%q is no model; give one of %s", name, strings.Join(names, ", "))
}
