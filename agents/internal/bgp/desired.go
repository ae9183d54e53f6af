package bgp

import (
	"net/netip"
	"time"
)

// Desired is everything that one engine should do.
type Desired struct {
	AS        uint32
	RouterID  netip.Addr     // of IPv4, another for each engine
	Listens   []netip.Addr   // where peers may call; none: nowhere
	Multipath bool           // all equal routes are best ones
	Peers     []Peer         // sorted by Name
	Accepts   []netip.Prefix // a route is taken that lies in one of them, and never the default route
	Offers    []Offer        // sorted by Prefix
}

// Peer is another router, or all those that call from a prefix.
type Peer struct {
	Address netip.Addr   // of the one; else
	Callers netip.Prefix // where they call from
	Source  netip.Addr   // our own end; the kernel chooses when it is not valid
	AS      uint32
	Waits   bool // we never call

	Password    Secret // of TCP MD5
	NearOnly    bool   // GTSM: nothing that crossed a router is heard
	Timers      Timers
	Detection   Detection // by BFD
	MostRoutes  uint32    // in each family, at which the session ends; 0: any
	Reflected   bool      // what it offers goes to other internal peers, and theirs to it
	Gives       Giving
	TakesPaths  bool // takes more than one route to a prefix (add-path)
	NoIPv4      bool // routes of IPv4 are not exchanged
	NoIPv6      bool
	Description string
}

// Giving is what a peer is given of the table.
type Giving string

// The word that is empty gives nothing, so that what a role forgets to say leaks nothing.
const (
	Nothing    Giving = ""
	Best       Giving = "best"  // the best route to each prefix
	EveryRoute Giving = "every" // all of them (add-path)
)

// Timers are rounded to seconds, as BGP has them.
type Timers struct {
	Hold, KeepAlive time.Duration
	Retry           time.Duration // between calls
}

// Detection ends a session whose peer is silent for Interval × Multiplier. The zero one is off.
type Detection struct {
	Interval   time.Duration
	Multiplier uint8
}

// Offer is a route of our own.
type Offer struct {
	Prefix      netip.Prefix
	NextHop     netip.Addr // of the family of Prefix
	Preference  uint32     // LOCAL_PREF, for internal peers
	MED         uint32
	Communities []Community
}

// Community is two halves, as in 65021:100.
type Community uint32

// GracefulShutdown asks others to prefer any other route (RFC 8326).
const GracefulShutdown Community = 0xffff0000

// Drained is the preference of a route that should take no new flows while there is
// another: it is the last resort.
const Drained = 1
