package bgp

import (
	"net/netip"
	"time"
)

// Desired is the complete state that an engine should reach.
type Desired struct {
	AS        uint32
	RouterID  netip.Addr     // IPv4, unique for each engine
	Listens   []netip.Addr   // addresses that accept connections; none: no listener
	Multipath bool           // use all equal-cost routes as best routes
	Peers     []Peer         // sorted by Name
	Accepts   []netip.Prefix // received routes are accepted inside these prefixes; a default route never is
	Offers    []Offer        // sorted by Prefix
}

// Peer is another router, or all routers that connect from a prefix.
type Peer struct {
	Address netip.Addr   // set for a named peer; else
	Callers netip.Prefix // the prefix that peers connect from
	Source  netip.Addr   // our address; the kernel chooses when it is not valid
	AS      uint32
	Waits   bool // never open a connection to it

	Password    Secret // for TCP MD5
	NearOnly    bool   // GTSM: drop packets that crossed a router
	Timers      Timers
	Detection   Detection // BFD
	MostRoutes  uint32    // limit for each family, at which the session is closed; 0: no limit
	Reflected   bool      // route reflector client: its routes are reflected to other internal peers, and theirs to it
	Gives       Giving
	TakesPaths  bool // accepts several routes to a prefix (add-path)
	NoIPv4      bool // don't exchange IPv4 routes
	NoIPv6      bool // don't exchange IPv6 routes
	Description string
}

// Giving is the part of the table that is advertised to a peer.
type Giving string

// The zero value advertises nothing, so that a role that doesn't set it leaks no routes.
const (
	Nothing    Giving = ""
	Best       Giving = "best"  // the best route to each prefix
	EveryRoute Giving = "every" // all routes (add-path)
)

// Timers are rounded to seconds, the resolution of BGP.
type Timers struct {
	Hold, KeepAlive time.Duration
	Retry           time.Duration // between connection attempts
}

// Detection closes a session whose peer is silent for Interval × Multiplier. The zero value is off.
type Detection struct {
	Interval   time.Duration
	Multiplier uint8
}

// Offer is a route that this engine advertises.
type Offer struct {
	Prefix      netip.Prefix
	NextHop     netip.Addr // of the same family as Prefix
	Preference  uint32     // LOCAL_PREF, for internal peers
	MED         uint32
	Communities []Community
	Bandwidth   float32 // the share of flows relative to other routes to the prefix, as a link bandwidth; 0: none is sent
}

// Community has two halves, as in 65021:100.
type Community uint32

// GracefulShutdown requests that peers prefer any other route (RFC 8326).
const GracefulShutdown Community = 0xffff0000

// Drained is the local preference of a route that should receive no new flows while another route
// exists: it is the last resort.
const Drained = 1
