package topology

import (
	"net/netip"
	"time"
)

// Topology is a complete lab, with all defaults filled in.
type Topology struct {
	Name       string
	Network    Network
	NextHops   NextHops
	Routing    Routing
	Detection  time.Duration // BFD interval between BGP members; 0: only the hold time applies
	IPv4       bool
	IPv6       bool
	Prefixes   Prefixes
	Engine     string        // of all balancers
	Command    []string      // run in a balancer's pod instead of our own balancer
	Restart    time.Duration // how long after its end a pod's process restarts, or Never
	Backends   bool          // each node runs an agent of the role backend
	Reflectors []Reflector
	Nodes      []Node
	Balancers  []Member
	Pods       []Pod
	Services   []Service
	Clients    []Client
}

// Never disables restarts.
const Never time.Duration = -1

// Network is how pods of different nodes reach each other.
type Network string

// The networks.
const (
	Flat   Network = "flat"   // all pods share one layer 2
	Routed Network = "routed" // each node routes a prefix of its own
)

// NextHops is what routers do with connections when a balancer is added or removed.
type NextHops string

// The kinds of next hops.
const (
	Resilient NextHops = "resilient" // only a removed balancer's connections move; the kernel may not support it
	Plain     NextHops = "plain"     // all are redistributed, as most routers do
)

// Routing is how the router learns routes to balancers.
type Routing string

// The kinds of routing.
const (
	Own Routing = "lab" // the lab sets them, by the balancers' readiness
	BGP Routing = "bgp" // a speaker next to each balancer advertises them, through the reflectors
)

// AS is the autonomous system of all BGP members of a lab.
const AS = 65021

// Prefixes are the address ranges. Labs are isolated, so all may use the same ones.
type Prefixes struct {
	Pods4, Pods6         netip.Prefix
	Services4, Services6 netip.Prefix
}

// Prefixes of clients, each in a network of its own.
var (
	Clients4 = netip.MustParsePrefix("198.18.0.0/16")
	Clients6 = netip.MustParsePrefix("fd65::/48")
)

// Link is a cable with delay, loss or limited bandwidth, the same in both directions.
type Link struct {
	Delay time.Duration // one way
	Loss  float64       // 0 … 1; counts frames that cross the cable, each of which may hold many segments
	Mbps  int           // bandwidth; 0: unlimited
}

// HasLength reports whether it needs a delay line.
func (l Link) HasLength() bool { return l.Delay != 0 || l.Loss != 0 }

// Reflector is a route reflector next to the router. With BGP routing it runs ours, or its command; otherwise
// its namespace is there for "lab exec".
type Reflector struct {
	Name    string
	Link    Link // to the router
	Command []string
}

// Node is a machine.
type Node struct {
	Name     string
	Link     Link   // to the router
	Cluster  string // whose control plane receives its pods; empty: that of the lab
	Adaptive bool   // it has a cgroup of its own and, with a control plane, an agent of the role adaptive
}

// Member runs on a node.
type Member struct {
	Name string
	Node string
}

// Pod is an instance of an application.
type Pod struct {
	Member
	Group  string // what services select by
	Weight uint16
}

// Service is what clients connect to.
type Service struct {
	Name          string
	Group         string // of the pods behind it
	Serve         Serve
	Port          uint16
	Address4      netip.Addr // invalid when the lab has no IPv4
	Address6      netip.Addr
	Delivery      string
	Scheduler     string
	ProxyProtocol bool
	Session       bool   // clients return to their pod by TLS session
	Zone          string // DNS zone in which each pod has a TLS server name; empty: any pod may reply
	Check         Check
	Fill          time.Duration // how long a new pod is filling
	Drain         time.Duration // how long a removed pod drains
}

// Serve is the protocol of an application.
type Serve string

// The protocols of applications.
const (
	HTTP Serve = "http"
	TCP  Serve = "tcp"
	TLS  Serve = "tls" // as tcp, inside TLS with the pod's own certificate
	UDP  Serve = "udp"
)

// ServerName is the TLS server name of this pod.
func (s Service) ServerName(pod string) string { return pod + "." + s.Zone }

// Protocol is the transport protocol.
func (s Serve) Protocol() string {
	if s == UDP {
		return "udp"
	}
	return "tcp"
}

// Check is the balancers' health check of a pod; its type is empty for none.
type Check struct {
	Type     string
	Path     string
	Interval time.Duration
	Timeout  time.Duration
	Rise     uint32
	Fall     uint32
}

// Client sends steady traffic.
type Client struct {
	Name    string
	Node    string // that it is a process of; empty: it has a network of its own behind the router
	Link    Link   // to the router
	Ports   int    // how many local ports its connections use; few are reused soon. 0: the kernel's default
	Traffic []Traffic
}

// Traffic goes to one service.
type Traffic struct {
	Service               string
	Connections           int     // open at any time
	PerSecond             float64 // requests, over all connections
	RequestsPerConnection int     // 0: connections are kept for ever
}

// NodesOf returns the names of a cluster's nodes.
func (t *Topology) NodesOf(cluster string) map[string]bool {
	names := map[string]bool{}
	for _, node := range t.Nodes {
		if node.Cluster == cluster {
			names[node.Name] = true
		}
	}
	return names
}
