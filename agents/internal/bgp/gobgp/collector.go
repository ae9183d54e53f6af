package gobgp

import (
	"cmp"
	"context"
	"maps"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/osrg/gobgp/v4/pkg/apiutil"
	"github.com/osrg/gobgp/v4/pkg/server"

	"fairlead.dev/agents/internal/bgp"
)

// Limits of what waits for Take. At its limit, the list of transitions drops the oldest, and
// refusals the newest.
const (
	maxTransitions = 1024
	maxRefused     = 1024
	maxShared      = 1024
)

// collector collects the events of gobgp's goroutines until Take.
type collector struct {
	changed chan struct{}
	table   *table
	block   func(caller netip.Addr, as uint32, wait time.Duration) // called without the mutex

	mutex       sync.Mutex
	transitions []bgp.Transition
	prefixes    map[netip.Prefix]bool
	reset       bool
	updates     bgp.Updates
	history     history
	refusals    refusals
	refused     map[refusal]bool // since the last Take
	hopOwners   hopOwners
	shared      map[bgp.SharedHop]bool // reported once while the peers' sessions last
	newShared   []bgp.SharedHop
}

func newCollector() *collector {
	return &collector{
		changed: make(chan struct{}, 1), table: newTable(), prefixes: map[netip.Prefix]bool{}, history: history{},
		refusals: refusals{of: map[netip.Addr]map[receivedRoute]bool{}}, refused: map[refusal]bool{},
		hopOwners: hopOwners{}, shared: map[bgp.SharedHop]bool{},
	}
}

// watch must be called before peers are added, so that no event is missed.
func (n *collector) watch(ctx context.Context, s *server.BgpServer) error {
	return s.WatchEvent(ctx, server.WatchEventMessageCallbacks{
		OnPathUpdate: func(paths []*apiutil.Path, _ time.Time) { n.table.received(paths); n.received(paths) },
		OnBestPath:   func(paths []*apiutil.Path, at time.Time) { n.table.setBest(paths); n.bestChanged(paths, at) },
		OnPeerUpdate: func(event *apiutil.WatchEventMessage_PeerEvent, at time.Time) {
			if event.Type == apiutil.PEER_EVENT_STATE {
				if wait := n.sessionChanged(event.Peer, at); wait > 0 {
					n.block(event.Peer.State.NeighborAddress, event.Peer.State.PeerASN, wait)
				}
			}
		},
	}, server.WatchBestPath(true), server.WatchUpdate(false, "", ""), server.WatchPeer())
}

// bestChanged only records which prefixes changed and when; the routes are read from the table.
func (n *collector) bestChanged(paths []*apiutil.Path, at time.Time) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	for _, path := range paths {
		if path == nil {
			continue
		}
		if prefix, ok := prefixOf(path.Nlri); ok {
			n.prefixes[prefix] = true
			n.updates.Add(updateOf(prefix, path, at))
		}
	}
	n.notify()
}

// updateOf treats a draining route as withdrawn.
func updateOf(prefix netip.Prefix, path *apiutil.Path, at time.Time) bgp.Update {
	attrs := attributesOf(path.Attrs)
	return bgp.Update{
		Prefix: prefix, NextHop: attrs.hop, At: at,
		Withdrawn: path.Withdrawal || slices.Contains(attrs.communities, bgp.GracefulShutdown),
	}
}

// received looks for routes that the filter rejects, and for shared next hops.
func (n *collector) received(paths []*apiutil.Path) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	for _, fresh := range n.refusals.update(paths) {
		if len(n.refused) < maxRefused {
			n.refused[fresh] = true
		}
		n.notify()
	}
	for _, hop := range n.hopOwners.update(paths) {
		if !n.shared[hop] && len(n.shared) < maxShared {
			n.shared[hop] = true
			n.newShared = append(n.newShared, hop)
			n.notify()
		}
	}
}

// setFilter starts again with a new filter.
func (n *collector) setFilter(accepts []netip.Prefix) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.refusals.begin(accepts)
	n.table.setFilter(accepts)
	clear(n.refused)
}

// notify signals that there are changes. The caller holds the mutex.
func (n *collector) notify() {
	select {
	case n.changed <- struct{}{}:
	default:
	}
}

func (n *collector) take() (changes bgp.Changes) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	changes.Sessions, n.transitions = n.transitions, nil
	changes.Reset, n.reset = n.reset, false
	changes.Prefixes = slices.SortedFunc(maps.Keys(n.prefixes), bgp.ComparePrefixes)
	changes.Shared, n.newShared = n.newShared, nil
	clear(n.prefixes)
	changes.Updates = n.updates.Take()
	for one := range n.refused {
		changes.Refused = append(changes.Refused, bgp.Refusal{Peer: one.peer, Prefix: one.prefix})
	}
	clear(n.refused)
	slices.SortFunc(changes.Refused, func(a, b bgp.Refusal) int {
		return cmp.Or(a.Peer.Compare(b.Peer), bgp.ComparePrefixes(a.Prefix, b.Prefix))
	})
	return changes
}

// stopped discards the state of a server that was stopped.
func (n *collector) stopped() {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.reset = true
	clear(n.prefixes)
	clear(n.history)
	clear(n.hopOwners)
	clear(n.shared)
	n.refusals.begin(nil)
	n.table.stop()
	n.notify()
}
