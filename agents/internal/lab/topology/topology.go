package topology

import (
	"net/netip"
	"time"
)

// Topology is a whole laboratory, nothing left open.
type Topology struct {
	Name       string
	Network    Network
	NextHops   NextHops
	Routing    Routing
	Detection  time.Duration // how often those who speak BGP show each other that they live; 0: only as its hold time has it
	IPv4       bool
	IPv6       bool
	Prefixes   Prefixes
	Engine     string        // of all balancers
	Command    []string      // run in a balancer's pod instead of our own balancer
	Restart    time.Duration // how long after its end a pod's process starts again, or Never
	Reflectors []Reflector
	Nodes      []Node
	Balancers  []Member
	Pods       []Pod
	Services   []Service
	Clients    []Client
}

// Never is no restart at all.
const Never time.Duration = -1

// Network is how pods of different nodes reach each other.
type Network string

// The networks.
const (
	Flat   Network = "flat"   // all pods share one layer 2
	Routed Network = "routed" // each node routes a prefix of its own
)

// NextHops is what routers do with connections when a balancer comes or goes.
type NextHops string

// The kinds of next hops.
const (
	Resilient NextHops = "resilient" // only those move whose balancer went; the kernel may not have them
	Plain     NextHops = "plain"     // all are spread anew, as most routers do
)

// Routing is how the router learns where balancers are.
type Routing string

// The kinds of routing.
const (
	Own Routing = "lab" // the laboratory does, by what balancers say of themselves
	BGP Routing = "bgp" // a speaker beside each balancer, by way of the reflectors
)

// AS is that of everybody who speaks BGP in a laboratory.
const AS = 65021

// Prefixes are where addresses come from; every laboratory is a world of its
// own, so all may use the same.
type Prefixes struct {
	Pods4, Pods6         netip.Prefix
	Services4, Services6 netip.Prefix
}

// Clients live here, each in a network of its own.
var (
	Clients4 = netip.MustParsePrefix("198.18.0.0/16")
	Clients6 = netip.MustParsePrefix("fd65::/48")
)

// Link is a cable that takes time, loses packets, or carries only so many, the same in both directions.
type Link struct {
	Delay time.Duration // one way
	Loss  float64       // 0 … 1; counts what crosses the cable at once, which may be many segments
	Mbps  int           // that it carries; 0: as many as come
}

// HasLength says whether it needs a delay line.
func (l Link) HasLength() bool { return l.Delay != 0 || l.Loss != 0 }

// Reflector stands beside the router and tells it routes. It runs our own where routing is
// by BGP, or its command; else its namespace is there for whatever "lab exec" runs in it.
type Reflector struct {
	Name    string
	Link    Link // to the router
	Command []string
}

// Node is a machine.
type Node struct {
	Name string
	Link Link // to the router
}

// Member runs on a node.
type Member struct {
	Name string
	Node string
}

// Pod is an instance of an application.
type Pod struct {
	Member
	Group  string // what services choose by
	Weight uint16
}

// Service is what clients connect to.
type Service struct {
	Name          string
	Group         string // of the pods behind it
	Serve         Serve
	Port          uint16
	Address4      netip.Addr // invalid when the laboratory has no IPv4
	Address6      netip.Addr
	Delivery      string
	Scheduler     string
	ProxyProtocol bool
	Zone          string // where pods have names that clients ask for by TLS, one each; empty: any pod answers
	Check         Check
	Fill          time.Duration // how long a new pod counts as too young to have old connections
	Drain         time.Duration // how long a leaving pod keeps its old connections
}

// Serve is what the application speaks.
type Serve string

// What applications speak.
const (
	HTTP Serve = "http"
	TCP  Serve = "tcp"
	TLS  Serve = "tls" // as tcp, inside TLS with a certificate of the pod's own
	UDP  Serve = "udp"
)

// ServerName is the TLS server name of this pod.
func (s Service) ServerName(pod string) string { return pod + "." + s.Zone }

// Protocol is the layer below.
func (s Serve) Protocol() string {
	if s == UDP {
		return "udp"
	}
	return "tcp"
}

// Check is how balancers find out whether a pod is well; its type is empty for none.
type Check struct {
	Type     string
	Path     string
	Interval time.Duration
	Timeout  time.Duration
	Rise     uint32
	Fall     uint32
}

// Client makes steady traffic.
type Client struct {
	Name    string
	Link    Link // to the router
	Ports   int  // that its connections may come from; few come back soon. 0: the kernel's own
	Traffic []Traffic
}

// Traffic goes to one service.
type Traffic struct {
	Service               string
	Connections           int     // open at any time
	PerSecond             float64 // requests, over all connections
	RequestsPerConnection int     // 0: connections are kept for ever
}
