package gobgp

import (
	"cmp"
	"context"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/osrg/gobgp/v4/api"
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

// news gathers what gobgp tells, which its own goroutines bring, until it is taken. Of
// sessions it remembers what gobgp forgets, as when a caller has gone.
type news struct {
	changed chan struct{}
	table   *table

	mutex       sync.Mutex
	transitions []bgp.Transition
	prefixes    map[netip.Prefix]bool
	anew        bool
	updates     bgp.Updates
	past        map[netip.Addr]*past
	refusals    refusals
	refused     map[refusal]bool // since they were last taken
	claims      claims
	shared      map[bgp.SharedHop]bool // told at most once while the peers' sessions last
	sharedNews  []bgp.SharedHop
}

// past of the session with a peer.
type past struct {
	state     bgp.State
	since     time.Time
	ups       uint64
	lastError string
	failed    string // why it did not come up, as it was told
}

func newNews() *news {
	return &news{
		changed: make(chan struct{}, 1), table: newTable(), prefixes: map[netip.Prefix]bool{}, past: map[netip.Addr]*past{},
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
				n.session(event.Peer, at)
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

// session tells of one that came up or went down, and once of one that can't come up.
func (n *news) session(peer apiutil.Peer, at time.Time) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	address, state := peer.State.NeighborAddress, stateOf(peer.State.SessionState)
	p := n.past[address]
	if p == nil {
		p = &past{state: bgp.Idle}
		n.past[address] = p
	}
	before := p.state
	if state == before {
		return
	}
	p.state, p.since = state, at
	transition := bgp.Transition{At: at, Peer: address, AS: peer.State.PeerASN, State: state}
	switch {
	case state == bgp.Established:
		p.ups++
		p.failed = ""
	case before == bgp.Established:
		transition.Reason = reasonOf(peer.State)
		p.lastError = transition.Reason
		delete(n.refusals.of, address)
		n.table.gone(address)
		n.claims.gone(address)
		maps.DeleteFunc(n.shared, func(hop bgp.SharedHop, _ bool) bool { return slices.Contains(hop.Peers[:], address) })
	case state == bgp.Idle && (before == bgp.OpenSent || before == bgp.OpenConfirm):
		transition.Reason = reasonOf(peer.State)
		if peer.State.DisconnectReason == api.PeerState_DISCONNECT_REASON_INVALID_MSG {
			transition.Reason = "what the peer began with was refused: is its AS the right one, and its router ID another than ours?"
		}
		p.lastError = transition.Reason
		if p.failed == transition.Reason {
			return // it tries again and again
		}
		p.failed = transition.Reason
	default:
		return // on the way up: nothing that anybody waits for
	}
	n.transitions = append(n.transitions, transition)
	if surplus := len(n.transitions) - transitionsMost; surplus > 0 {
		n.transitions = slices.Delete(n.transitions, 0, surplus)
	}
	n.tell()
}

// reasons are those that gobgp tells, as people would say them.
var reasons = map[api.PeerState_DisconnectReason]string{
	api.PeerState_DISCONNECT_REASON_ADMIN_DOWN:            "it was shut here",
	api.PeerState_DISCONNECT_REASON_HOLD_TIMER_EXPIRED:    "the peer was silent for the hold time",
	api.PeerState_DISCONNECT_REASON_NOTIFICATION_SENT:     "we ended it",
	api.PeerState_DISCONNECT_REASON_NOTIFICATION_RECEIVED: "the peer ended it",
	api.PeerState_DISCONNECT_REASON_READ_FAILED:           "the peer's connection broke",
	api.PeerState_DISCONNECT_REASON_WRITE_FAILED:          "nothing could be sent to the peer",
	api.PeerState_DISCONNECT_REASON_INVALID_MSG:           "the peer said what is no BGP",
	api.PeerState_DISCONNECT_REASON_HARD_RESET:            "it was reset",
	api.PeerState_DISCONNECT_REASON_DECONFIGURED:          "the peer was removed here",
	api.PeerState_DISCONNECT_REASON_BAD_PEER_AS:           "the peer has another AS",
}

// resetHere is what gobgp says when BFD has heard nothing; nothing else here resets sessions.
const resetHere = "administrative reset"

func reasonOf(state apiutil.PeerState) string {
	reason, known := reasons[state.DisconnectReason]
	switch {
	case state.AdminState == api.PeerState_ADMIN_STATE_PFX_CT:
		return "the peer offers more routes than it may"
	case state.DisconnectReason == api.PeerState_DISCONNECT_REASON_NOTIFICATION_SENT && strings.Contains(state.DisconnectMessage, resetHere):
		return "BFD heard nothing of the peer"
	case !known && state.DisconnectMessage == "":
		return "it ended without a reason"
	case !known:
		return state.DisconnectMessage
	case state.DisconnectMessage == "":
		return reason
	}
	return reason + " (" + state.DisconnectMessage + ")"
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

// complete adds what gobgp doesn't remember.
func (n *news) complete(session *bgp.Session) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if p := n.past[session.Peer]; p != nil {
		session.Since, session.Ups, session.LastError = p.since, p.ups, p.lastError
	}
	session.Accepted -= min(session.Accepted, uint64(len(n.refusals.of[session.Peer])))
}

// ended is told when the server is gone, and its table with it.
func (n *news) ended() {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.anew = true
	clear(n.prefixes)
	clear(n.past)
	clear(n.claims)
	clear(n.shared)
	n.refusals.begin(nil)
	n.table.end()
	n.tell()
}
