package gobgp

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/osrg/gobgp/v4/api"
	"github.com/osrg/gobgp/v4/pkg/apiutil"

	"fairlead.dev/agents/internal/bgp"
)

// maxHistories bounds the history, since a caller may use any address of its prefix.
const maxHistories = 4096

// history keeps what gobgp drops when a session ends, by the peer's address.
type history map[netip.Addr]*peerHistory

// peerHistory is the history of one peer.
type peerHistory struct {
	state      bgp.State
	since      time.Time
	ups        uint64
	lastError  string
	failed     string        // why the session last failed to establish, as reported
	blockedFor time.Duration // how long it was last blocked for too many routes
	blockedAt  time.Time     // when it was blocked
}

// of returns a peer's history, or a new one. At the limit it drops the one whose session ended
// first.
func (h history) of(peer netip.Addr) *peerHistory {
	if p := h[peer]; p != nil {
		return p
	}
	if len(h) >= maxHistories {
		var oldest netip.Addr
		for address, p := range h {
			if p.state != bgp.Established && (!oldest.IsValid() || p.since.Before(h[oldest].since)) {
				oldest = address
			}
		}
		delete(h, oldest)
	}
	h[peer] = &peerHistory{state: bgp.Idle}
	return h[peer]
}

// block returns how long a caller is blocked that exceeded its route limit: twice as long each
// time, until it has kept to the limit for as long as its last block.
func (p *peerHistory) block(at time.Time) time.Duration {
	switch {
	case p.blockedFor == 0 || at.Sub(p.blockedAt) > 2*p.blockedFor+firstBlock:
		p.blockedFor = firstBlock
	default:
		p.blockedFor = min(2*p.blockedFor, maxBlock)
	}
	p.blockedAt = at
	return p.blockedFor
}

// sessionChanged records a session that was established or lost, and the first of repeated failures. It
// returns how long the peer is to be blocked; 0 for not at all.
func (n *collector) sessionChanged(peer apiutil.Peer, at time.Time) (wait time.Duration) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	address, state := peer.State.NeighborAddress, stateOf(peer.State.SessionState)
	p := n.history.of(address)
	before := p.state
	if state == before {
		return 0
	}
	p.state, p.since = state, at
	transition := bgp.Transition{At: at, Peer: address, AS: peer.State.PeerASN, From: before, State: state}
	switch {
	case state == bgp.Established:
		p.ups++
		p.failed = ""
	case before == bgp.Established:
		transition.Reason = reasonOf(peer.State)
		if full(peer.State) && (peer.Conf.PeerGroup != "" || peer.State.PeerGroup != "") {
			wait = p.block(at)
			transition.Reason += fmt.Sprintf(", and is blocked for %s", wait)
		}
		p.lastError = transition.Reason
		delete(n.refusals.of, address)
		n.table.removePeer(address)
		n.hopOwners.remove(address)
		maps.DeleteFunc(n.shared, func(hop bgp.SharedHop, _ bool) bool { return slices.Contains(hop.Peers[:], address) })
	case state == bgp.Idle && (before == bgp.OpenSent || before == bgp.OpenConfirm):
		transition.Reason = reasonOf(peer.State)
		if peer.State.DisconnectReason == api.PeerState_DISCONNECT_REASON_INVALID_MSG {
			transition.Reason = "the peer's OPEN message was rejected: check its AS, and that its router ID differs from ours"
		}
		p.lastError = transition.Reason
		if p.failed == transition.Reason {
			return 0 // a repeated failure
		}
		p.failed = transition.Reason
	default:
		return 0 // on the way to established: not reported
	}
	n.transitions = append(n.transitions, transition)
	if surplus := len(n.transitions) - maxTransitions; surplus > 0 {
		n.transitions = slices.Delete(n.transitions, 0, surplus)
	}
	n.notify()
	return wait
}

// reasons are the texts for gobgp's reasons.
var reasons = map[api.PeerState_DisconnectReason]string{
	api.PeerState_DISCONNECT_REASON_ADMIN_DOWN:            "the session was shut down on this host",
	api.PeerState_DISCONNECT_REASON_HOLD_TIMER_EXPIRED:    "the hold timer expired",
	api.PeerState_DISCONNECT_REASON_NOTIFICATION_SENT:     "this host closed the session",
	api.PeerState_DISCONNECT_REASON_NOTIFICATION_RECEIVED: "the peer closed the session",
	api.PeerState_DISCONNECT_REASON_READ_FAILED:           "the connection to the peer failed",
	api.PeerState_DISCONNECT_REASON_WRITE_FAILED:          "sending to the peer failed",
	api.PeerState_DISCONNECT_REASON_INVALID_MSG:           "the peer sent an invalid BGP message",
	api.PeerState_DISCONNECT_REASON_HARD_RESET:            "the session was reset",
	api.PeerState_DISCONNECT_REASON_DECONFIGURED:          "the peer was removed on this host",
	api.PeerState_DISCONNECT_REASON_BAD_PEER_AS:           "the peer has a different AS",
}

// bfdReset is in gobgp's message when BFD detects a failure; this package resets sessions for no
// other reason.
const bfdReset = "administrative reset"

// parseFailures are in gobgp's message after it sent a notification for a message that it couldn't parse.
var parseFailures = []string{"(header)", "(open)", "(update)"}

// full reports whether a session is closed because the peer exceeded its route limit.
func full(state apiutil.PeerState) bool { return state.AdminState == api.PeerState_ADMIN_STATE_PFX_CT }

func reasonOf(state apiutil.PeerState) string {
	reason, known := reasons[state.DisconnectReason]
	switch {
	case full(state):
		return "the peer exceeded its route limit"
	case state.DisconnectReason == api.PeerState_DISCONNECT_REASON_NOTIFICATION_SENT && strings.Contains(state.DisconnectMessage, bfdReset):
		return "BFD detected that the peer is down"
	case state.DisconnectReason == api.PeerState_DISCONNECT_REASON_NOTIFICATION_SENT && slices.ContainsFunc(parseFailures, func(word string) bool {
		return strings.Contains(state.DisconnectMessage, word)
	}):
		return "the peer sent an invalid BGP message; " + reason + " (" + state.DisconnectMessage + ")"
	case !known && state.DisconnectMessage == "":
		return "the session ended without a reason"
	case !known:
		return state.DisconnectMessage
	case state.DisconnectMessage == "":
		return reason
	}
	return reason + " (" + state.DisconnectMessage + ")"
}

// fillHistory adds what gobgp doesn't keep.
func (n *collector) fillHistory(session *bgp.Session) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if p := n.history[session.Peer]; p != nil {
		session.Since, session.EstablishedCount, session.LastError = p.since, p.ups, p.lastError
	}
	session.Accepted -= min(session.Accepted, uint64(len(n.refusals.of[session.Peer])))
}
