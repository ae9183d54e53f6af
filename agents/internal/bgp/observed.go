package bgp

import (
	"net/netip"
	"time"
)

// State of a session, as BGP names it.
type State string

// In the order in which a session enters them.
const (
	Idle        State = "idle"
	Connect     State = "connect"
	Active      State = "active"
	OpenSent    State = "open-sent"
	OpenConfirm State = "open-confirm"
	Established State = "established"
)

// Session is this host's end of a session.
type Session struct {
	Peer              netip.Addr
	AS                uint32
	RouterID          netip.Addr // of the peer, once received
	Dynamic           bool       // the peer connected from a prefix of callers
	State             State
	Since             time.Time // of State; the zero time if it was never up
	Hold              time.Duration
	KeepAlive         time.Duration // as negotiated; 0 while it is down
	Received          uint64        // routes
	Accepted          uint64        // routes that passed the filter
	Advertised        uint64        // routes advertised to the peer
	EstablishedCount  uint64        // how often it was established
	Detection         string        // "up", "down" or "init"; empty when BFD is off
	DetectionSettings Detection     // the BFD settings
	In, Out           uint64        // messages since it was established
	LastError         string        // why it last went down
	OverLimit         bool          // closed: the peer exceeded its route limit
}

// Transition is a session that came up or went down.
type Transition struct {
	At     time.Time
	Peer   netip.Addr
	AS     uint32
	From   State
	State  State
	Reason string // why it went down
}

// Refusal is a received route that the filter rejects.
type Refusal struct {
	Peer   netip.Addr
	Prefix netip.Prefix
}

// SharedHop is a next hop that two speakers advertise as their own: traffic to it reaches only one
// of them.
type SharedHop struct {
	NextHop netip.Addr
	Peers   [2]netip.Addr // who advertise it, the newer one last
}

// Route is advertised by this engine or received from a peer.
type Route struct {
	Prefix      netip.Prefix
	NextHop     netip.Addr
	From        netip.Addr // the peer; not valid for our own route
	PathID      uint32     // distinguishes the routes of one peer (add-path)
	Preference  uint32
	MED         uint32
	ASPath      []uint32
	Communities []Community
	Best        bool
	Refused     bool // by the filter
	Since       time.Time
}

// NextHop is where a best route leads. Bandwidth is its share relative to the other next hops of the
// prefix; 0 if its route has none.
type NextHop struct {
	Via       netip.Addr
	Bandwidth float32
}

// Addresses returns the addresses of next hops, in the same order.
func Addresses(hops []NextHop) []netip.Addr {
	addresses := make([]netip.Addr, len(hops))
	for i, hop := range hops {
		addresses[i] = hop.Via
	}
	return addresses
}

// Query selects routes. Empty fields match everything.
type Query struct {
	Prefix   netip.Prefix
	Longer   bool       // also prefixes inside Prefix
	Covers   netip.Addr // prefixes that contain this address
	FromPeer netip.Addr // routes received from this peer
	After    Cursor     // continue after this cursor
	Limit    int        // routes on a page; 0: 100
}

// Within reports whether a prefix matches Prefix and Longer.
func (q Query) Within(prefix netip.Prefix) bool {
	at := q.Prefix
	return !at.IsValid() || prefix == at.Masked() || q.Longer && at.Bits() <= prefix.Bits() && at.Contains(prefix.Addr())
}

// Page is one page of routes.
type Page struct {
	Routes []Route // including rejected ones; sorted by [Cursor]
	Next   Cursor  // the cursor of the next page; zero: this is the last one
	Total  int     // routes in the whole table
}
