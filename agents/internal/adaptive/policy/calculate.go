package policy

import (
	"math"
	"time"
)

const (
	// CrossingPrice is what a round trip costs beyond its time. It keeps traffic in the node where two nodes
	// would be nearly equal.
	CrossingPrice = 0.5

	// unknownServiceTime is for a node that hasn't served a request, while none has. Too long costs a few percent, too
	// short doubles the tail of latency.
	unknownServiceTime = 0.01

	leastServiceTime, mostServiceTime = 1e-6, 3600
	leastCores, mostCores             = 0.01, 4096
	mostRate                          = 1e9
	mostCount                         = mostRequests >> 8
	mostNodes                         = 1024
	mostSetup                         = 1
)

// Entry is what the node where requests enter knows itself about a node that may serve them.
type Entry struct {
	Local     bool // both are the same node
	RoundTrip time.Duration
	Setup     float64 // further round trips before a request: 1 with a TCP connection of its own
	Answers   float64 // per second, to this node
	Nodes     int     // that requests enter at, this one included
	Usual     float64 // for a node that has served no request: seconds, of nodes that have; 0: unknown
	Connections
}

// Connections describe connections that carry many requests. Life is 0 where each carries one.
type Connections struct {
	Open int     // from this node, to the node that serves
	Life float64 // seconds, on average
	Rate float64 // requests per second of each
}

// Calculate sets the cost to that of a node with these figures, as seen from the entry.
func (c *Cost) Calculate(figures Figures, entry Entry) {
	if !(figures.ServiceTime > 0) {
		figures.ServiceTime = entry.Usual
	}
	figures, entry = figures.bounded(), entry.bounded()
	c.Fixed, c.Others, c.Mine, c.Answers, c.Spread, c.Open, c.PerConnection = 0, 0, 0, 0, 0, 0, 0 // steps sets the rest
	if !entry.Local {
		c.Fixed = nanoseconds(entry.away()*(1+CrossingPrice), mostTime)
	}
	var value Value
	if entry.Life > 0 {
		c.lasting(&value, figures, entry)
		return
	}
	value.Set(figures.Rate, figures.ServiceTime, figures.Cores)
	c.steps(&value, 1)
	if entry.Local {
		return
	}
	c.Others = fixedPoint(max(0, figures.InFlight-figures.InFlightOfReceiver))
	c.Mine = fixedPoint(figures.InFlightOfReceiver)
	// As many connections as usual are on their way, and the queue is not theirs: the rate has them. Only those beyond are waited for.
	c.Answers = fixedPoint(entry.Answers * entry.away())
	if figures.RateOfReceiver > 0 && entry.Nodes > 2 {
		ratio := figures.RateOfOthers / figures.RateOfReceiver
		c.Spread = fixedPoint(min(max(ratio, 1), float64(entry.Nodes-1)) - 1)
	}
}

// away is for how many seconds a request is between the nodes.
func (e Entry) away() float64 { return e.RoundTrip.Seconds() * (1 + e.Setup) }

// lasting counts this node's connections as load. What is in flight on them is in the figures, so the kernel's
// own counter doesn't add to it: Answers cancels it.
func (c *Cost) lasting(value *Value, figures Figures, entry Entry) {
	load := max(0, figures.Rate-figures.RateOfReceiver) + float64(entry.Open+1)*entry.Rate
	value.Set(load, figures.ServiceTime, figures.Cores)
	now := value.weightOfNow(entry.Life)
	c.steps(value, now)
	c.Others, c.Answers = fixedPoint(figures.InFlight), math.MaxUint32
	c.Open = uint32(entry.Open)
	price := (1 - now) * value.Load()
	c.Fixed = min(c.Fixed+nanoseconds(price, mostTime), mostTime)

	more := max(entry.Rate, 0.01*value.capacity())
	value.Set(load+more, figures.ServiceTime, figures.Cores)
	c.PerConnection = nanoseconds(max(0, (1-now)*value.Load()-price)*entry.Rate/more, mostSlope)
}

// steps fills the table. A node with more cores than it has entries continues in a straight line that is right
// again when twice as many requests as cores are there.
func (c *Cost) steps(value *Value, weight float64) {
	least := uint64(0) // errors of rounding may not make the table fall
	curved := min(value.servers, len(c.Steps))
	for n := range curved {
		least = max(least, nanoseconds(weight*value.Of(float64(n)), mostTime))
		c.Steps[n] = least
	}
	slope, last := value.slope, len(c.Steps)-1
	if value.servers > len(c.Steps) {
		far := float64(2 * value.servers)
		slope = (value.Of(far) - value.Of(float64(last))) / (far - float64(last))
	}
	c.Slope = nanoseconds(weight*slope, mostSlope)
	c.straight(curved, weight*value.Of(float64(curved-1)), weight*slope)
}

// fraction is how many bits of a nanosecond the straight line is added up with.
const fraction = 16

// straight fills the table from an entry on with a line, in integers: that is most of the table of most nodes.
func (c *Cost) straight(from int, before, slope float64) {
	each := nanoseconds(slope*(1<<fraction), mostSlope<<fraction)
	at := nanoseconds(before*(1<<fraction), mostTime<<fraction) + 1<<(fraction-1) // to round
	for n := from; n < len(c.Steps); n++ {
		at += each
		c.Steps[n] = min(at>>fraction, mostTime)
	}
}

func (f Figures) bounded() Figures {
	f.Cores = between(f.Cores, leastCores, mostCores, 1)
	if !(f.ServiceTime > 0) {
		f.ServiceTime = unknownServiceTime
	}
	f.ServiceTime = between(f.ServiceTime, leastServiceTime, mostServiceTime, unknownServiceTime)
	for _, rate := range []*float64{&f.Rate, &f.RateOfOthers, &f.RateOfReceiver, &f.EntryRate} {
		*rate = between(*rate, 0, mostRate, 0)
	}
	for _, count := range []*float64{&f.InFlight, &f.InFlightOfReceiver} {
		*count = between(*count, 0, mostCount, mostCount)
	}
	return f
}

func (e Entry) bounded() Entry {
	e.RoundTrip = min(max(e.RoundTrip, 0), time.Hour)
	e.Setup = between(e.Setup, 0, mostSetup, 0)
	e.Answers = between(e.Answers, 0, mostRate, 0)
	e.Nodes = min(max(e.Nodes, 1), mostNodes)
	e.Open = min(max(e.Open, 0), mostOpen)
	e.Life = between(e.Life, 0, 1e9, 0)
	e.Rate = between(e.Rate, 0, mostRate, 0)
	return e
}

// between limits a value. What is no number becomes unknown.
func between(value, least, most, unknown float64) float64 {
	if math.IsNaN(value) {
		return unknown
	}
	return min(max(value, least), most)
}

func nanoseconds(seconds float64, most uint64) uint64 {
	if ns := seconds*1e9 + 0.5; ns < float64(most) {
		return uint64(int64(max(ns, 0)))
	}
	return most // also for NaN
}

func fixedPoint(count float64) uint32 {
	return uint32(min(count, mostCount)*256 + 0.5)
}
