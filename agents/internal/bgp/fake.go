package bgp

import (
	"context"
	"net/netip"
	"reflect"
	"slices"
	"sync"
)

// Fake is an engine without a network: tests inspect what it was set to and inject changes.
type Fake struct {
	mutex   sync.Mutex
	desired Desired
	closed  bool
	hops    map[netip.Prefix][]NextHop
	up      []netip.Addr
	changes Changes
	changed chan struct{}
}

var _ Engine = (*Fake)(nil)

// NewFake returns a closed fake with no settings.
func NewFake() *Fake {
	return &Fake{hops: map[netip.Prefix][]NextHop{}, changed: make(chan struct{}, 1)}
}

// LastSet returns the last desired state, and whether the engine was closed since.
func (f *Fake) LastSet() (desired Desired, closed bool) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.desired, f.closed
}

// SetHops sets the next hops of a prefix, without a bandwidth, and which peers are up.
func (f *Fake) SetHops(prefix netip.Prefix, hops []netip.Addr, up ...netip.Addr) {
	var equal []NextHop
	for _, via := range hops {
		equal = append(equal, NextHop{Via: via})
	}
	f.SetNextHops(prefix, equal, up...)
}

// SetNextHops does the same with bandwidths.
func (f *Fake) SetNextHops(prefix netip.Prefix, hops []NextHop, up ...netip.Addr) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.hops[prefix], f.up = hops, up
	f.changes.Prefixes = append(f.changes.Prefixes, prefix)
	select {
	case f.changed <- struct{}{}:
	default:
	}
}

// AddChanges injects updates of best routes and session transitions.
func (f *Fake) AddChanges(changes Changes) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.changes.Updates = append(f.changes.Updates, changes.Updates...)
	f.changes.Sessions = append(f.changes.Sessions, changes.Sessions...)
	select {
	case f.changed <- struct{}{}:
	default:
	}
}

// Set implements Engine.
func (f *Fake) Set(_ context.Context, desired Desired) (int, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if err := desired.Check(); err != nil {
		return 0, err
	}
	same := !f.closed && reflect.DeepEqual(f.desired, desired)
	f.desired, f.closed = desired, false
	if same {
		return 0, nil
	}
	return 1, nil
}

// Sessions implements Engine.
func (f *Fake) Sessions(context.Context) (sessions []Session, err error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	for _, peer := range f.up {
		sessions = append(sessions, Session{Peer: peer, State: Established})
	}
	return sessions, nil
}

// Up implements Engine.
func (f *Fake) Up(context.Context) ([]netip.Addr, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return slices.Clone(f.up), nil
}

// Routes implements Engine, with next hops alone.
func (f *Fake) Routes(_ context.Context, query Query) (page Page, err error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	for _, hop := range f.hops[query.Prefix] {
		page.Routes = append(page.Routes, Route{Prefix: query.Prefix, NextHop: hop.Via, Best: true})
	}
	return page, nil
}

// Hops implements Engine.
func (f *Fake) Hops(_ context.Context, prefix netip.Prefix) ([]NextHop, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return slices.Clone(f.hops[prefix]), nil
}

// Changed implements Engine.
func (f *Fake) Changed() <-chan struct{} { return f.changed }

// Take implements Engine.
func (f *Fake) Take() (changes Changes) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	changes, f.changes = f.changes, Changes{}
	return changes
}

// Close implements Engine.
func (f *Fake) Close() error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.closed = true
	return nil
}
