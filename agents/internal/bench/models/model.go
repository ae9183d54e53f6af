// Package models has published methods of choosing a backend, each as a few lines of arithmetic,
// and replays traffic and changes on them, to compare their breaks with measured ones. Each is in
// its own file; none sends a packet.
package models

// Model decides where packets go. Each replay creates a new one.
type Model interface {
	// Set says which backends take new connections from now on, sorted, and which
	// replicas the router spreads packets over.
	Set(backends, replicas []string)

	// Pick says which backend a packet reaches; "" is none.
	Pick(packet Packet) string
}

// Packet is what a model may look at.
type Packet struct {
	Flow    uint64 // hash of addresses and ports
	Replica string // that the router chose
	First   bool   // of its connection
}

// Known is a model with what was published of it.
type Known struct {
	Name      string
	Published float64 // percent of connections broken, by its authors or by those who compared it
	New       func() Model
}

// All are in the order in which they are told. To add one, add a file and a line.
var All = []Known{
	{"ECMP hash", 0.947, func() Model { return &hash{} }},
	{"consistent hash", 0.666, func() Model { return &consistent{} }},
}
