package signals

// Observed is what was counted since the services were first set. Counts of former processes are
// in it.
type Observed struct {
	Services map[uint16]ServiceCounts // by number
}

// ServiceCounts are those of one service.
type ServiceCounts struct {
	InFlight uint64 // requests now, from all nodes
	// Busy is the integral of min(requests in flight, cores), in nanoseconds. The difference of two,
	// divided by that of Done, is the service time.
	Busy  uint64
	At    uint64            // of Busy: nanoseconds of the monotonic clock
	Nodes map[uint32]Counts // by number of the node that the clients are at; 0 for unknown ones

	incarnation uint32
}

// Counts are those of the clients of one node.
type Counts struct {
	Open     uint64 // connections now
	InFlight uint64 // requests now
	Opened   uint64 // connections
	Arrived  uint64 // requests
	Done     uint64 // requests
}

// Total adds the counts of all nodes.
func (s ServiceCounts) Total() (all Counts) {
	for _, one := range s.Nodes {
		all.Open += one.Open
		all.InFlight += one.InFlight
		all.Opened += one.Opened
		all.Arrived += one.Arrived
		all.Done += one.Done
	}
	return all
}
