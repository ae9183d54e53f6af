package sockets

// Counts of connections.
type Counts struct {
	Open     uint64
	Chosen   uint64
	Failures uint64 // connects that were rejected or not answered
}
