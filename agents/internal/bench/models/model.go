// Package models has published methods of choosing a backend, each as a few lines of arithmetic,
// and replays traffic and changes on them, to compare their breaks with measured ones. Each is in
// its own file; none sends a packet.
package models

// Model decides where packets go. Each replay creates a new one.
type Model interface {
	// Set replaces the backends that take new connections, sorted, and the replicas the router uses.
	Set(backends, replicas []string)

	// Pick returns the backend that a packet reaches; "" is none.
	Pick(packet Packet) string
}

// Packet is the input of a model.
type Packet struct {
	Flow    uint64 // hash of addresses and ports
	Replica string // chosen by the router
	First   bool   // of its connection
}

// Known is a model with its published result.
type Known struct {
	Name      string
	Published float64 // percent of connections broken, by its authors or by an independent comparison
	New       func() Model
}

// All are the models, in display order. To add one, add a file and a line.
var All = []Known{
	{"ECMP hash", 0.947, func() Model { return &hash{} }},
	{"consistent hash", 0.666, func() Model { return &consistent{} }},
}
