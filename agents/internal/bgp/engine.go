package bgp

import (
	"context"
	"net/netip"
)

// Engine speaks BGP for one process. One goroutine owns it; Changed and Routes are for any.
type Engine interface {
	// Set makes sessions, filters and offers what desired says. A session whose peer is
	// asked for in the same words stays up; changes counts what had to be done.
	Set(ctx context.Context, desired Desired) (changes int, err error)

	// Sessions are those with every peer that is named or has called, sorted by address.
	Sessions(ctx context.Context) ([]Session, error)

	// Up are the peers that a session is established with, sorted. What Hops said before is
	// not less than what these peers had told.
	Up(ctx context.Context) ([]netip.Addr, error)

	// Routes reads a part of what was offered, never the whole of a large table. It waits for
	// nothing that the engine does, so that it answers while much changes; what it says may
	// then be behind, as Hops is not.
	Routes(ctx context.Context, query Query) (Page, error)

	// Hops are the next hops of the best routes to a prefix, sorted, each once.
	Hops(ctx context.Context, prefix netip.Prefix) ([]netip.Addr, error)

	// Changed is readable when Take has something to tell.
	Changed() <-chan struct{}

	// Take tells what changed since it was last asked.
	Take() Changes

	// Close ends all sessions in good order, so that peers withdraw at once.
	Close() error
}

// Changes is what happened in between, in the order in which it did. When much did, it is
// not each single change: a prefix is named once.
type Changes struct {
	Sessions []Transition
	Prefixes []netip.Prefix // whose best routes changed, sorted
	Refused  []Refusal      // routes that were offered and not let in
	Updates  []Update       // of best routes, without a step; of too many, the newest
	Shared   []SharedHop    // next hops that are offered by two who are not the same
	Anew     bool           // the table began anew: any prefix may have changed
}
