package bgp

import (
	"context"
	"net/netip"
)

// Engine runs BGP for one process. One goroutine owns it; Changed and Routes are safe for any.
type Engine interface {
	// Set makes sessions, filters and advertised routes match desired. A session whose peer is
	// unchanged stays up. Changes counts the corrections.
	Set(ctx context.Context, desired Desired) (changes int, err error)

	// Sessions lists the sessions with all named and dynamic peers, sorted by address.
	Sessions(ctx context.Context) ([]Session, error)

	// Up returns the peers with an established session, sorted. A result of Hops read before it
	// includes at least the routes of these peers.
	Up(ctx context.Context) ([]netip.Addr, error)

	// Routes returns one page of the received and advertised routes. It doesn't wait for the
	// engine, so it is fast while many routes change. Its result may lag behind that of Hops.
	Routes(ctx context.Context, query Query) (Page, error)

	// Hops returns the next hops of the best routes to a prefix, sorted and without duplicates.
	Hops(ctx context.Context, prefix netip.Prefix) ([]NextHop, error)

	// Changed is readable when Take has something to return.
	Changed() <-chan struct{}

	// Take returns the changes since the last Take.
	Take() Changes

	// Close shuts all sessions down cleanly, so that peers withdraw our routes at once.
	Close() error
}

// Changes are in the order in which they happened. Repeated changes of a prefix may be merged into
// one.
type Changes struct {
	Sessions []Transition
	Prefixes []netip.Prefix // whose best routes changed, sorted
	Refused  []Refusal      // received routes that the filter rejected
	Updates  []Update       // of best routes, with no Step set; limited to the newest
	Shared   []SharedHop    // next hops that two different peers advertise
	Reset    bool           // the table was cleared: any prefix may have changed
}
