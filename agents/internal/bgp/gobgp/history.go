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

// pastsMost are remembered: a caller may have any of the addresses that it may call from.
const pastsMost = 4096

// history is what gobgp forgets of sessions, as when a caller has gone, by the peer's address.
type history map[netip.Addr]*past

// past of the session with a peer.
type past struct {
	state     bgp.State
	since     time.Time
	ups       uint64
	lastError string
	failed    string        // why it did not come up, as it was told
	kept      time.Duration // how long it was kept out the last time, for offering too much
	shutAt    time.Time     // when that was
}

// of begins a past where there is none. Of too many, that goes which has been over longest.
func (h history) of(peer netip.Addr) *past {
	if p := h[peer]; p != nil {
		return p
	}
	if len(h) >= pastsMost {
		var oldest netip.Addr
		for address, p := range h {
			if p.state != bgp.Established && (!oldest.IsValid() || p.since.Before(h[oldest].since)) {
				oldest = address
			}
		}
		delete(h, oldest)
	}
	h[peer] = &past{state: bgp.Idle}
	return h[peer]
}

// shut says how long a caller that offered too much is kept out: twice as long each time, until it has behaved for as
// long as it was kept out before.
func (p *past) shut(at time.Time) time.Duration {
	switch {
	case p.kept == 0 || at.Sub(p.shutAt) > 2*p.kept+keptOutFirst:
		p.kept = keptOutFirst
	default:
		p.kept = min(2*p.kept, keptOutMost)
	}
	p.shutAt = at
	return p.kept
}

// session tells of one that came up or went down, and once of one that can't come up. It answers how long a caller is to
// be kept out; 0 for any other.
func (n *news) session(peer apiutil.Peer, at time.Time) (wait time.Duration) {
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
			wait = p.shut(at)
			transition.Reason += fmt.Sprintf(", and is kept out for %s", wait)
		}
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
			return 0 // it tries again and again
		}
		p.failed = transition.Reason
	default:
		return 0 // on the way up: nothing that anybody waits for
	}
	n.transitions = append(n.transitions, transition)
	if surplus := len(n.transitions) - transitionsMost; surplus > 0 {
		n.transitions = slices.Delete(n.transitions, 0, surplus)
	}
	n.tell()
	return wait
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

// noBGP is in what gobgp says of a notification that it sent because it couldn't read what it heard.
var noBGP = []string{"(header)", "(open)", "(update)"}

// full says whether a peer is sent away for offering more than it may.
func full(state apiutil.PeerState) bool { return state.AdminState == api.PeerState_ADMIN_STATE_PFX_CT }

func reasonOf(state apiutil.PeerState) string {
	reason, known := reasons[state.DisconnectReason]
	switch {
	case full(state):
		return "the peer offers more routes than it may"
	case state.DisconnectReason == api.PeerState_DISCONNECT_REASON_NOTIFICATION_SENT && strings.Contains(state.DisconnectMessage, resetHere):
		return "BFD heard nothing of the peer"
	case state.DisconnectReason == api.PeerState_DISCONNECT_REASON_NOTIFICATION_SENT && slices.ContainsFunc(noBGP, func(word string) bool {
		return strings.Contains(state.DisconnectMessage, word)
	}):
		return "the peer said what is no BGP, so " + reason + " (" + state.DisconnectMessage + ")"
	case !known && state.DisconnectMessage == "":
		return "it ended without a reason"
	case !known:
		return state.DisconnectMessage
	case state.DisconnectMessage == "":
		return reason
	}
	return reason + " (" + state.DisconnectMessage + ")"
}

// complete adds what gobgp doesn't remember.
func (n *news) complete(session *bgp.Session) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if p := n.history[session.Peer]; p != nil {
		session.Since, session.Ups, session.LastError = p.since, p.ups, p.lastError
	}
	session.Accepted -= min(session.Accepted, uint64(len(n.refusals.of[session.Peer])))
}
