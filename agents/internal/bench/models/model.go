// Package models holds ways of choosing a backend that others published, each as
// a few lines of arithmetic, and replays traffic and changes on them, so that what
// they break stands beside what is measured. A file each; none sends a packet.
package models

// Model says where packets go. A fresh one is made for each replay.
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
