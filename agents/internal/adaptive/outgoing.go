package adaptive

import (
	"time"

	"fairlead.dev/agents/internal/adaptive/mesh"
	"fairlead.dev/agents/internal/adaptive/policy"
	"fairlead.dev/agents/internal/adaptive/sockets"
	"fairlead.dev/agents/internal/balancer/datapath"
)

const (
	// every is how often counts are read and sent to other nodes. The costs of this node are calculated then, and those of
	// another one when its figures arrive.
	every = 50 * time.Millisecond

	// reconcileEvery is how often counts are compared with the sockets that exist, unless that takes more than
	// 1/reconcileShare of the time: each socket is read.
	reconcileEvery = 5 * time.Second
	reconcileShare = 200

	// closedWindow is that of how fast connections close. It is short, because it corrects how many are open now.
	closedWindow = 200 * time.Millisecond

	// openedWindow is that of how long connections last, and of how many requests each carries: such a ratio needs both averages
	// in the same window, or it is wrong until traffic that begins is old.
	openedWindow = 10 * time.Second

	// lastingRequests and lastingLife are above which connections are load that stays, and not one request each. A
	// TLS connection with a single request has up to three turns.
	lastingRequests = 4
	lastingLife     = 10 * time.Second

	// rewriteAfter is how old a cost in the kernel may become while nothing changes.
	rewriteAfter = time.Second
)

// outgoing is what this node sends to a node, of one service.
type outgoing struct {
	node       string
	since      time.Time // it exists
	received   mesh.Received
	isHere     bool      // it is this node
	receivedAt time.Time // the latest time at which received was true; zero: never
	isFresh    bool      // received isn't too old
	isNew      bool      // its figures are other ones than those of the cost
	isChecked  bool      // this node checks its backends
	counts     sockets.Counts
	at         time.Time // of counts
	closed     float64   // connections per second
	opened     float64
	usual      float64 // open connections, on average in the same window as opened

	figures   policy.Figures // with which cost was calculated
	open      uint32         // connections at that time
	entry     policy.Entry
	isKnown   bool // there is a cost
	writtenAt time.Time
}

// add records the counts now.
func (o *outgoing) add(counts sockets.Counts, now time.Time) {
	before, period := o.counts, now.Sub(o.at)
	isFirst := o.at.IsZero()
	o.counts, o.at = counts, now
	if isFirst || period <= 0 || counts.Chosen < before.Chosen {
		return
	}
	opened := float64(counts.Chosen - before.Chosen)
	closed := max(0, opened+float64(before.Open)-float64(counts.Open))
	o.opened = average(o.opened, opened/period.Seconds(), period, openedWindow)
	o.usual = average(o.usual, float64(counts.Open), period, openedWindow)
	o.closed = average(o.closed, closed/period.Seconds(), period, closedWindow)
}

// isSilent reports whether the node's figures are missing although there was time for them.
func (o *outgoing) isSilent(now time.Time) bool {
	return !o.isFresh && now.Sub(o.since) > policy.OldestFigures
}

// lasting describes the connections of this node to all nodes. Their life is 0 if each carries one request. usualRate is the
// average of requestsPerSecond in openedWindow.
func lasting(all []*outgoing, requestsPerSecond, usualRate float64) (connections policy.Connections) {
	open, usuallyOpen, opened := 0.0, 0.0, 0.0
	for _, one := range all {
		open += float64(one.counts.Open)
		usuallyOpen += one.usual
		opened += one.opened
	}
	if open == 0 || usuallyOpen == 0 {
		return connections
	}
	life := usuallyOpen / max(opened, usuallyOpen/time.Hour.Seconds())
	requests := usualRate / usuallyOpen * life
	if requests <= lastingRequests && life <= lastingLife.Seconds() {
		return connections
	}
	return policy.Connections{Life: life, Rate: requestsPerSecond / open}
}

// setup is how many round trips the handshake of a connection takes, for each of its requests. A connection that has
// carried none is expected to carry one. usualRate is as in [lasting].
func setup(protocol datapath.Protocol, all []*outgoing, usualRate float64) float64 {
	if protocol != datapath.TCP {
		return 0
	}
	opened := 0.0
	for _, one := range all {
		opened += one.opened
	}
	if usualRate <= opened {
		return 1
	}
	return opened / usualRate
}

// isDue reports whether the kernel has no cost, or an old one that figures which arrive would have replaced.
func (o *outgoing) isDue(now time.Time) bool {
	return !o.isKnown || now.Sub(o.writtenAt) >= rewriteAfter
}

// renew keeps what the cost is calculated from, and reports whether the kernel needs the cost.
func (o *outgoing) renew(figures policy.Figures, entry policy.Entry, now time.Time) (needed bool) {
	if figures == o.figures && entry == o.entry && !o.isDue(now) {
		return false
	}
	o.figures, o.entry, o.open, o.isKnown, o.writtenAt = figures, entry, uint32(o.counts.Open), true, now
	return true
}

// cost isn't kept, because those of many services would displace everything else from the caches of a processor.
func (o *outgoing) cost() (cost policy.Cost) {
	cost.Calculate(o.figures, o.entry)
	return cost
}
