package datapathtest

import (
	"fmt"
	"net/netip"
	"os"
	"testing"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/netspace"
)

// Interface is the only link of every balancer and backend.
const Interface = "eth0"

// BackendPort is an additional port of backends' servers, besides the ports of services.
const BackendPort = 8080

// ServicePorts are served by every backend on its own addresses and on the service
// addresses.
var ServicePorts = []uint16{80, 81}

// Network is a client behind a router, on whose other side are two balancer pods
// and three backends:
//
//	client ── router ──┬── balancers   10.77.0.0/24, fd77::/64
//	                   └── backends    the same, or 10.78.0.0/24, fd78::/64 when routed
//
// The service prefix is a local prefix of every balancer and backend, and the
// router sends it to one of the balancers. All namespaces are gone when the
// test ends.
type Network struct {
	Client, Router *netspace.Space
	Balancers      [2]*netspace.Space
	Backends       []*Host // sorted by name
	Routed         bool
	Delivery       datapath.Delivery // of its trials, if Run created it
	name           string
}

// Host is one backend's pod with its servers.
type Host struct {
	Name  string
	Space *netspace.Space
	IPv4  netip.Addr
	IPv6  netip.Addr
	late  chan struct{} // releases a late reply
}

var (
	servicePrefixes  = []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("2001:db8::/64")}
	serviceAddresses = []netip.Addr{netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("2001:db8::1")}
	networks         int
)

// NewNetwork builds a network; routed puts the backends on a network of their own.
func NewNetwork(t *testing.T, routed bool) *Network {
	t.Helper()
	networks++
	n := &Network{Routed: routed, name: fmt.Sprintf("flct%d-%d", os.Getpid(), networks)}
	n.Client, n.Router = n.space(t, "client"), n.space(t, "router")
	t.Cleanup(keepThreads(n.Client))
	must(t, n.Router.AddBridge("near"), n.Router.AddBridge("far"))
	n.plug(t, n.Client, "client", "", 76, 2)
	must(t, n.Router.AddAddress("near", prefix4(77, 1)), n.Router.AddAddress("near", prefix6(77, 1)),
		n.Router.AddAddress("far", prefix4(78, 1)), n.Router.AddAddress("far", prefix6(78, 1)))
	for i := range n.Balancers {
		n.Balancers[i] = n.pod(t, fmt.Sprintf("balancer%d", i+1), "near", 77, 2+i)
	}
	lan, bridge := 77, "near"
	if routed {
		lan, bridge = 78, "far"
	}
	for i, name := range []string{"a", "b", "c"} {
		host := &Host{Name: name, late: make(chan struct{}), IPv4: prefix4(lan, 11+i).Addr(), IPv6: prefix6(lan, 11+i).Addr()}
		host.Space = n.pod(t, name, bridge, lan, 11+i)
		must(t, host.Space.SetSysctl("net/ipv6/ip_nonlocal_bind", "1")) // a local prefix suffices only for IPv4
		t.Cleanup(func() { close(host.late) })
		host.serve(t)
		n.Backends = append(n.Backends, host)
	}
	n.RouteTo(t, 0)
	return n
}

// RouteTo routes the service addresses to one of the balancers.
func (n *Network) RouteTo(t *testing.T, balancer int) {
	t.Helper()
	must(t, n.Router.AddRoute(servicePrefixes[0], prefix4(77, 2+balancer).Addr()),
		n.Router.AddRoute(servicePrefixes[1], prefix6(77, 2+balancer).Addr()))
}

// Disown removes the service addresses from a balancer's host, which then forwards their
// packets, as a Kubernetes node does.
func (n *Network) Disown(t *testing.T, balancer int) {
	t.Helper()
	links := n.Balancers[balancer].Links()
	loopback, err := links.LinkByName("lo")
	must(t, err)
	for _, prefix := range servicePrefixes {
		must(t, links.RouteDel(&netlink.Route{Dst: ipNet(prefix), LinkIndex: loopback.Attrs().Index, Type: unix.RTN_LOCAL, Table: unix.RT_TABLE_LOCAL, Scope: netlink.SCOPE_HOST}))
	}
}

// Narrow sets the MTU from the router to the client, and only in that direction. The MTU
// of the router's link would limit the other direction too: a veth silently drops packets
// above the MTU of its peer, so a client that sends one full segment would wait until TCP
// gives up.
func (n *Network) Narrow(t *testing.T, mtu int) {
	t.Helper()
	n.narrow(t, "client", mtu, prefix4(76, 2).Addr(), prefix6(76, 2).Addr())
}

// NarrowBackends sets the MTU from the router to the backends, if they are routed.
func (n *Network) NarrowBackends(t *testing.T, mtu int) {
	t.Helper()
	for _, host := range n.Backends {
		n.narrow(t, "far", mtu, host.IPv4, host.IPv6)
	}
}

func (n *Network) narrow(t *testing.T, interfaceName string, mtu int, hosts ...netip.Addr) {
	t.Helper()
	link, err := n.Router.Links().LinkByName(interfaceName)
	must(t, err)
	for _, host := range hosts {
		must(t, n.Router.Links().RouteReplace(&netlink.Route{
			LinkIndex: link.Attrs().Index, Dst: ipNet(netip.PrefixFrom(host, host.BitLen())),
			MTU: mtu, MTULock: true, // IPv6 forwarding uses a route's MTU only when it is locked
		}))
	}
}

// space creates a namespace that forwards and never sends redirects, as balancers' pods
// do.
func (n *Network) space(t *testing.T, name string) *netspace.Space {
	t.Helper()
	space, err := netspace.New(n.name + "-" + name)
	must(t, err)
	t.Cleanup(func() {
		if err := space.Delete(); err != nil {
			t.Error(err)
		}
	})
	for _, which := range []string{"all", "default"} {
		for _, setting := range []struct{ key, value string }{
			{"net/ipv4/conf/%s/rp_filter", "0"}, {"net/ipv4/conf/%s/send_redirects", "0"},
			{"net/ipv4/conf/%s/forwarding", "1"}, {"net/ipv6/conf/%s/forwarding", "1"},
			{"net/ipv4/conf/%s/arp_ignore", "1"}, {"net/ipv4/conf/%s/arp_announce", "2"},
		} {
			must(t, space.SetSysctl(fmt.Sprintf(setting.key, which), setting.value))
		}
	}
	return space
}

// BalancerPrefixes returns the prefixes of all balancers of a network.
func BalancerPrefixes() []netip.Prefix {
	return []netip.Prefix{prefix4(77, 0).Masked(), prefix6(77, 0).Masked()}
}

// pod creates a namespace with one link to the router and the service prefix as its own.
func (n *Network) pod(t *testing.T, name, bridge string, lan, host int) *netspace.Space {
	t.Helper()
	space := n.space(t, name)
	for _, prefix := range servicePrefixes {
		must(t, space.AddLocal(prefix))
	}
	n.plug(t, space, name, bridge, lan, host)
	return space
}

func (n *Network) plug(t *testing.T, space *netspace.Space, name, bridge string, lan, host int) {
	t.Helper()
	router := netspace.End{Space: n.Router, Interface: name, Bridge: bridge}
	if bridge == "" {
		router.Addresses = []netip.Prefix{prefix4(lan, 1), prefix6(lan, 1)}
	}
	must(t, netspace.Connect(router, netspace.End{
		Space: space, Interface: Interface, Addresses: []netip.Prefix{prefix4(lan, host), prefix6(lan, host)},
	}))
	for _, gateway := range []netip.Prefix{prefix4(lan, 1), prefix6(lan, 1)} {
		route := &netlink.Route{Dst: ipNet(netip.PrefixFrom(unspecified(gateway.Addr()), 0)), Gw: gateway.Addr().AsSlice()}
		if n.Routed {
			route.AdvMSS = 1360 // packets through a tunnel have to fit into it
		}
		must(t, space.Links().RouteReplace(route))
	}
}

// key returns a service address and port of the test network.
func key(family int, protocol datapath.Protocol, port uint16) datapath.Key {
	return datapath.Key{Address: serviceAddresses[family], Port: port, Protocol: protocol}
}
