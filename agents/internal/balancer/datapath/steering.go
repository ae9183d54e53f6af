package datapath

import (
	"errors"
	"fmt"
	"time"
)

// Steerer is an engine in which single connections can be placed.
type Steerer interface {
	Steering() Steering
}

// Steering places single connections, for a policy that knows more about one than the
// tables do. All others go by the tables. A connection that the engine carries already
// stays where it is. Any goroutine may call the methods, and none waits for a Set.
type Steering interface {
	// Put sends a connection that begins before that time to a backend. It replaces an
	// earlier placement. While the backend is down, no connection begins there: it goes by
	// the tables. One that another replica has announced stays where it is.
	Put(flow Flow, until time.Time) error

	// Hold keeps the packets of a connection until Release, or until that time, which is
	// at most HoldMost from now. From then on its packets go where the connection was put,
	// or by the tables. How many are kept is limited: the oldest connection loses its
	// packets first, and its client sends them again. It also does so for those that were
	// kept until the time was over.
	Hold(flow Flow, until time.Time) error

	// Release ends a Hold, and sends what was kept.
	Release(flow Flow) error
}

// HoldMost is the longest time of a Hold. Few clients wait as long.
const HoldMost = time.Minute

// CheckHold rejects a Hold that is longer.
func CheckHold(until time.Time) error {
	if span := time.Until(until); span > HoldMost {
		return fmt.Errorf("%s is too long: %s at a time is the maximum", span.Round(time.Second), HoldMost)
	}
	return nil
}

// Weigher is an engine that carries services with a private chooser.
type Weigher interface {
	// Weigh replaces weights of backends by their IDs, until the next call: those of Set
	// only count for backends that were never weighed. 0 is no new connection. It is cheap
	// enough for twenty calls a second. Only the engine's owner calls it.
	Weigh(service Key, weights map[string]uint32) error
}

// Chooser is how a new connection's backend is chosen.
type Chooser string

const (
	// Agreed is by a table that is the same on all replicas, so any of them can continue the
	// connection.
	Agreed Chooser = ""

	// Private is by weights that this replica may change at any time (Weigher). The choice
	// is stored for each connection and not shared: a connection whose packets move to
	// another replica is reset.
	Private Chooser = "private"

	// BySession is by the TLS session that a client resumes; a new session goes by the table.
	// With Proxy, the engine reads the hello itself. Otherwise it needs a replica of
	// internal/session next to the engine, and a companion next to each server.
	BySession Chooser = "session"

	// ByCost is by what one more request costs at each node, of strategy adaptive. It needs
	// an entry of internal/adaptive next to the engine. While that has no costs, it is Private.
	ByCost Chooser = "cost"
)

// Draws reports whether backends are drawn by weights, always or for want of something better.
func (c Chooser) Draws() bool { return c == Private || c == ByCost }

// ErrNoSessions is of all engines but one, and of that on some kernels.
var ErrNoSessions = errors.New("backends can't be chosen by TLS session in this engine; choose tcx, on a kernel that compiles its programs (CONFIG_BPF_JIT)")

// ErrNoCosts is of the same engines.
var ErrNoCosts = errors.New("backends can't be chosen by cost in this engine; choose tcx, on a kernel that compiles its programs (CONFIG_BPF_JIT)")

// OnlyAgreed rejects a private chooser, for engines without one.
func OnlyAgreed(s *Service) error {
	switch s.Chooser {
	case BySession:
		return ErrNoSessions
	case ByCost:
		return ErrNoCosts
	}
	if s.Chooser != Agreed {
		return errors.New("a private chooser isn't supported by this engine; choose tcx, xdp or userspace")
	}
	return nil
}
