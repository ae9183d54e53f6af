package health

import (
	"net/netip"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
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
	Path    Path
}

// Path is how packets of a service reach the backend. The zero value is the backend's own address.
// A target with a path is another one than the backend itself, which all services share.
type Path struct {
	Service  datapath.Key
	Delivery datapath.Delivery // one that keeps the packet
}

// AddrPort returns the address to check.
func (t Target) AddrPort() netip.AddrPort {
	if t.Check.Port != 0 {
		return netip.AddrPortFrom(t.Address, t.Check.Port)
	}
	return netip.AddrPortFrom(t.Address, t.Port)
}

// DatagramToPath reports whether the path is probed with the check's datagram. Otherwise, it is probed
// with the first segment of a connection.
func (t Target) DatagramToPath() bool {
	return t.Path.Service.Protocol == datapath.UDP && t.Check.Kind == UDP
}

// ConnectsAsClients reports whether the check connects to the port to which clients connect.
func (t Target) ConnectsAsClients() bool {
	return t.Path.Service.Protocol == datapath.TCP && t.Check.Kind != UDP && t.AddrPort().Port() == t.Path.Service.Port
}

// PathPort returns the address to probe by the path: the service's, or for a check of a UDP service
// by a connection, the check's port there.
func (t Target) PathPort() netip.AddrPort {
	port := t.Path.Service.Port
	if t.Path.Service.Protocol == datapath.UDP {
		port = t.AddrPort().Port()
	}
	return netip.AddrPortFrom(t.Path.Service.Address, port)
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
