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

// At most so many wait to be taken: of transitions the oldest are forgotten first, of
// refusals the newest aren't told.
const (
	transitionsMost = 1024
	refusedMost     = 1024
	sharedMost      = 1024
)

// news gathers what gobgp tells, which its own goroutines bring, until it is taken.
type news struct {
	changed chan struct{}
	table   *table
	keepOut func(caller netip.Addr, as uint32, wait time.Duration) // called without the mutex

	mutex       sync.Mutex
	transitions []bgp.Transition
	prefixes    map[netip.Prefix]bool
	anew        bool
	updates     bgp.Updates
	history     history
	refusals    refusals
	refused     map[refusal]bool // since they were last taken
	claims      claims
	shared      map[bgp.SharedHop]bool // told at most once while the peers' sessions last
	sharedNews  []bgp.SharedHop
}

func newNews() *news {
	return &news{
		changed: make(chan struct{}, 1), table: newTable(), prefixes: map[netip.Prefix]bool{}, history: history{},
		refusals: refusals{of: map[netip.Addr]map[offered]bool{}}, refused: map[refusal]bool{},
		claims: claims{}, shared: map[bgp.SharedHop]bool{},
	}
}

// watch begins before there are peers, so that nothing is missed.
func (n *news) watch(ctx context.Context, s *server.BgpServer) error {
	return s.WatchEvent(ctx, server.WatchEventMessageCallbacks{
		OnPathUpdate: func(paths []*apiutil.Path, _ time.Time) { n.table.offered(paths); n.offered(paths) },
		OnBestPath:   func(paths []*apiutil.Path, at time.Time) { n.table.chosen(paths); n.routes(paths, at) },
		OnPeerUpdate: func(event *apiutil.WatchEventMessage_PeerEvent, at time.Time) {
			if event.Type == apiutil.PEER_EVENT_STATE {
				if wait := n.session(event.Peer, at); wait > 0 {
					n.keepOut(event.Peer.State.NeighborAddress, event.Peer.State.PeerASN, wait)
				}
			}
		},
	}, server.WatchBestPath(true), server.WatchUpdate(false, "", ""), server.WatchPeer())
}

// routes only marks what changed, and when: the table has the truth.
func (n *news) routes(paths []*apiutil.Path, at time.Time) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	for _, path := range paths {
		if path == nil {
			continue
		}
		if prefix, ok := prefixOf(path.Nlri); ok {
			n.prefixes[prefix] = true
			n.updates.Note(updateOf(prefix, path, at))
		}
	}
	n.tell()
}

// updateOf takes a route that should have no new flows for one that goes.
func updateOf(prefix netip.Prefix, path *apiutil.Path, at time.Time) bgp.Update {
	said := saidIn(path.Attrs)
	return bgp.Update{
		Prefix: prefix, NextHop: said.hop, At: at,
		Withdrawn: path.Withdrawal || slices.Contains(said.communities, bgp.GracefulShutdown),
	}
}

// offered looks only for what the filter refuses, and for next hops that two offer.
func (n *news) offered(paths []*apiutil.Path) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	for _, fresh := range n.refusals.see(paths) {
		if len(n.refused) < refusedMost {
			n.refused[fresh] = true
		}
		n.tell()
	}
	for _, hop := range n.claims.see(paths) {
		if !n.shared[hop] && len(n.shared) < sharedMost {
			n.shared[hop] = true
			n.sharedNews = append(n.sharedNews, hop)
			n.tell()
		}
	}
}

// filter is told when another one is set.
func (n *news) filter(accepts []netip.Prefix) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.refusals.begin(accepts)
	n.table.filter(accepts)
	clear(n.refused)
}

// tell wakes who waits for changes; the caller holds the mutex.
func (n *news) tell() {
	select {
	case n.changed <- struct{}{}:
	default:
	}
}

func (n *news) take() (changes bgp.Changes) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	changes.Sessions, n.transitions = n.transitions, nil
	changes.Anew, n.anew = n.anew, false
	changes.Prefixes = slices.SortedFunc(maps.Keys(n.prefixes), bgp.ComparePrefixes)
	changes.Shared, n.sharedNews = n.sharedNews, nil
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

// ended is told when the server is gone, and its table with it.
func (n *news) ended() {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.anew = true
	clear(n.prefixes)
	clear(n.history)
	clear(n.claims)
	clear(n.shared)
	n.refusals.begin(nil)
	n.table.end()
	n.tell()
}
