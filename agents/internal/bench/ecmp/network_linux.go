package ecmp

import (
	"errors"
	"fmt"
	"net/netip"
	"os"

	"fairlead.dev/agents/internal/netspace"
)

// uplink is the one link of every host on the switch.
const uplink = "eth0"

// Host numbers on the switch. The router and the reflectors have the addresses in the configs that the
// control plane generates for third-party routers.
const (
	routerAt    = 1
	reflectorAt = 2 // and the following number
	speakerAt   = 11
	replicaAt   = 21
	backendAt   = 31
)

var (
	lan      = netip.MustParsePrefix("10.79.0.0/24")
	clients  = netip.MustParsePrefix("10.80.0.0/24") // behind the router
	services = netip.MustParsePrefix("203.0.113.0/24")
	all      = netip.MustParsePrefix("0.0.0.0/0")
)

// at is an address of a network, by its number.
func at(network netip.Prefix, number int) netip.Addr {
	four := network.Addr().As4()
	four[3] = byte(number)
	return netip.AddrFrom4(four)
}

// network is a switch with hosts.
type network struct {
	name   string
	lan    *netspace.Space
	spaces []*netspace.Space
}

type host struct {
	name    string
	space   *netspace.Space
	address netip.Addr
}

func newNetwork() (*network, error) {
	n := &network{name: fmt.Sprintf("flecmp%d", os.Getpid())}
	space, err := n.space("switch")
	if err == nil {
		n.lan, err = space, space.AddBridge("lan")
	}
	if err != nil {
		return nil, errors.Join(err, n.close())
	}
	return n, nil
}

func (n *network) space(name string) (*netspace.Space, error) {
	space, err := netspace.New(n.name + "-" + name)
	if err == nil {
		n.spaces = append(n.spaces, space)
	}
	return space, err
}

// forwarding is for hosts that forward packets. ICMP errors are not rate-limited: a client retries at once.
var forwarding = map[string]string{
	"net/ipv4/ip_forward": "1", "net/ipv4/fib_multipath_hash_policy": "1", "net/ipv4/icmp_ratelimit": "0",
	"net/ipv4/conf/all/send_redirects": "0", "net/ipv4/conf/default/send_redirects": "0",
}

// owning is for members that have a service's address without ARP.
var owning = map[string]string{
	"net/ipv4/conf/all/arp_ignore": "1", "net/ipv4/conf/default/arp_ignore": "1",
	"net/ipv4/conf/all/arp_announce": "2", "net/ipv4/conf/default/arp_announce": "2",
}

// add connects a host. All but the router use the router as gateway.
func (n *network) add(name string, number int, settings ...map[string]string) (*host, error) {
	space, err := n.space(name)
	if err != nil {
		return nil, err
	}
	h := &host{name: name, space: space, address: at(lan, number)}
	for _, each := range settings {
		if err := space.SetSysctls(each); err != nil {
			return nil, err
		}
	}
	if err := netspace.Connect(
		netspace.End{Space: n.lan, Interface: fmt.Sprintf("port%d", number), Bridge: "lan"},
		netspace.End{Space: space, Interface: uplink, Addresses: []netip.Prefix{netip.PrefixFrom(h.address, lan.Bits())}},
	); err != nil {
		return nil, err
	}
	if number == routerAt {
		return h, nil
	}
	return h, space.AddRoute(all, at(lan, routerAt))
}

// addClient adds a host behind the router.
func (n *network) addClient(router *host) (*host, error) {
	space, err := n.space("client")
	if err != nil {
		return nil, err
	}
	h := &host{name: "client", space: space, address: at(clients, 2)}
	if err := netspace.Connect(
		netspace.End{Space: router.space, Interface: "clients", Addresses: []netip.Prefix{netip.PrefixFrom(at(clients, 1), clients.Bits())}},
		netspace.End{Space: space, Interface: uplink, Addresses: []netip.Prefix{netip.PrefixFrom(h.address, clients.Bits())}},
	); err != nil {
		return nil, err
	}
	return h, space.AddRoute(all, at(clients, 1))
}

// close is called when no process is left inside.
func (n *network) close() error {
	var errs []error
	for _, space := range n.spaces {
		errs = append(errs, space.Delete())
	}
	return errors.Join(errs...)
}
