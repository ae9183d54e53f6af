package policy

// Cost is what the kernel needs to calculate the cost of one more request at a node, with its own counters.
type Cost struct {
	Fixed         uint64     // ns: the round trip with its price
	Others        uint32     // in 1/256 request: in flight there, from other nodes than this one
	Mine          uint32     // in 1/256 request: in flight there from this node, when its figures were taken
	Answers       uint32     // in 1/256 connection: open, with its handshake, its request or its answer on its way, on average
	Spread        uint32     // in 1/256: what each request since then counts beyond itself, because other nodes send too
	Steps         [64]uint64 // ns: of one more request beside 0 … 63 others
	Slope         uint64     // ns: from there on, for each further one
	Open          uint32     // connections of this node that PerConnection has counted
	PerConnection uint64     // ns: for each further one, where connections last
}

// The limits with which the kernel's arithmetic stays below 2⁶³.
const (
	mostTime     = 1 << 45 // ns, of Fixed and of each step: 10 hours
	mostSlope    = 1 << 37 // ns, of Slope and PerConnection: 2 minutes
	mostRequests = 1 << 25 // in 1/256: 131,072 requests in flight
	mostOpen     = 1 << 24 // connections
)

// Remote returns the cost in ns of one more request or connection at another node, to which this node has so
// many open connections now. The kernel calculates the same.
func (c *Cost) Remote(open uint32) uint64 {
	own := uint64(min(open, mostOpen)) << 8
	own -= min(own, uint64(c.Answers))
	count := uint64(c.Others) + own
	if mine := uint64(c.Mine); own > mine {
		count += (own - mine) * uint64(c.Spread) >> 8
	}
	return c.sum(count, open)
}

// Local returns the cost in ns of one more request or connection at this node, which serves so many requests
// now. The kernel calculates the same.
func (c *Cost) Local(inFlight int64, open uint32) uint64 {
	return c.sum(uint64(min(max(inFlight, 0), mostRequests>>8))<<8, open)
}

func (c *Cost) sum(count uint64, open uint32) uint64 {
	cost := c.Fixed + c.step(count)
	if opened := min(open, mostOpen); opened >= c.Open {
		return cost + c.PerConnection*uint64(opened-c.Open)
	}
	return cost - min(cost, c.PerConnection*uint64(c.Open-min(open, mostOpen)))
}

// step interpolates, because counts are estimates with fractions. Rounding is no better or worse in the simulator.
func (c *Cost) step(count uint64) uint64 {
	const last = len(c.Steps) - 1
	count = min(count, mostRequests)
	whole, part := count>>8, count&0xff
	if whole >= uint64(last) {
		return c.Steps[last] + c.Slope*(count-uint64(last)<<8)>>8
	}
	return c.Steps[whole] + (c.Steps[whole+1]-c.Steps[whole])*part>>8
}
