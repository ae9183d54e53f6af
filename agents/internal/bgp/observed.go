package bgp

import (
	"net/netip"
	"time"
)

// State of a session, in the words of the protocol.
type State string

// In the order in which a session passes them.
const (
	Idle        State = "idle"
	Connect     State = "connect"
	Active      State = "active"
	OpenSent    State = "open-sent"
	OpenConfirm State = "open-confirm"
	Established State = "established"
)

// Session is our end of an adjacency.
type Session struct {
	Peer      netip.Addr
	AS        uint32
	RouterID  netip.Addr // of the peer, once it has said it
	Called    bool       // the peer called from one of the prefixes
	State     State
	Since     time.Time // of State; the zero time if it never was up
	Hold      time.Duration
	KeepAlive time.Duration // as agreed; 0 while it is down
	Received  uint64        // routes that it offers
	Accepted  uint64        // of them, by the filter
	Given     uint64        // routes that it was given
	Ups       uint64        // how often it came up
	Detection string        // "up", "down", "init"; empty when it is off
	Detects   Detection     // how it is set
	In, Out   uint64        // messages, since it came up
	LastError string        // why it went down last
	Full      bool          // it offered more than it may, and is shut
}

// Transition is a session that came up or went down.
type Transition struct {
	At     time.Time
	Peer   netip.Addr
	AS     uint32
	From   State
	State  State
	Reason string // of going down, a sentence
}

// Refusal is a route that a peer offers and the filter doesn't let in.
type Refusal struct {
	Peer   netip.Addr
	Prefix netip.Prefix
}

// SharedHop is a next hop that two speakers say is theirs: what is sent there reaches only
// one of them.
type SharedHop struct {
	NextHop netip.Addr
	Peers   [2]netip.Addr // who offers it, the newer one last
}

// Route is one that we offer or were offered.
type Route struct {
	Prefix      netip.Prefix
	NextHop     netip.Addr
	From        netip.Addr // the peer; not valid for our own
	Number      uint32     // that tells several of a peer apart (add-path)
	Preference  uint32
	MED         uint32
	ASPath      []uint32
	Communities []Community
	Best        bool
	Refused     bool // by the filter
	Since       time.Time
}

// Query asks for routes. What it leaves out does not narrow the answer.
type Query struct {
	Prefix   netip.Prefix
	Longer   bool       // also those inside Prefix
	Covers   netip.Addr // those that hold it
	FromPeer netip.Addr // those that it offers
	After    Place      // goes on after this one
	Most     int        // routes on a page; 0: 100
}

// Within says whether a prefix lies where it looks.
func (q Query) Within(prefix netip.Prefix) bool {
	at := q.Prefix
	return !at.IsValid() || prefix == at.Masked() || q.Longer && at.Bits() <= prefix.Bits() && at.Contains(prefix.Addr())
}

// Page is a part of the answer.
type Page struct {
	Routes []Route // also those that are refused; sorted as [Place] is
	Next   Place   // ask After it for more; the zero one: these were all
	Known  int     // routes that there are, whatever was asked
}
