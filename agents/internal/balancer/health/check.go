package health

import (
	"net/netip"
	"time"
)

// Kind is the protocol of a check.
type Kind string

// The kinds of check.
const (
	TCP   Kind = "tcp"   // accepts a connection
	HTTP  Kind = "http"  // answers a GET with a good status
	HTTPS Kind = "https" // as http, with any certificate: the check is whether the backend responds
	GRPC  Kind = "grpc"  // reports SERVING by the gRPC health protocol, over HTTP/2 without TLS
	UDP   Kind = "udp"   // answers a datagram
)

// Check defines how to check and how many results decide. It is comparable, so that
// backends that several services share are checked once.
type Check struct {
	Kind     Kind
	Port     uint16   // 0: the backend's own
	Path     string   // of http and https; the service of grpc
	Host     string   // header of http, also the server name of https
	Statuses Statuses // good ones; none: 200 to 399
	Send     string   // of udp
	Expect   string   // of udp: prefix of the response
	Interval time.Duration
	Timeout  time.Duration
	Rise     int // successes in a row until up
	Fall     int // failures in a row until down
}

// Target is one backend under one check.
type Target struct {
	Address netip.Addr
	Port    uint16
	Check   Check
}

// AddrPort returns the address to check.
func (t Target) AddrPort() netip.AddrPort {
	if t.Check.Port != 0 {
		return netip.AddrPortFrom(t.Address, t.Check.Port)
	}
	return netip.AddrPortFrom(t.Address, t.Port)
}

// Statuses is a set of HTTP statuses.
type Statuses [10]uint64

// Status bounds of HTTP.
const (
	StatusLeast = 100
	StatusMost  = 599
)

// Add adds a status.
func (s *Statuses) Add(status int) { s[status/64] |= 1 << (status % 64) }

// Good reports whether a status is in the set, or is 200 to 399 if the set is empty.
func (s Statuses) Good(status int) bool {
	if s == (Statuses{}) {
		return status >= 200 && status < 400
	}
	return status >= 0 && status < 64*len(s) && s[status/64]&(1<<(status%64)) != 0
}
