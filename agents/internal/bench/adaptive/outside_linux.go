package adaptive

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"

	"github.com/vishvananda/netlink"

	"fairlead.dev/agents/internal/netspace"
)

// outside is what a node has for clients outside: where they are, and a balancer next to the agent that places their
// connections by the agent's costs. Its replies and those of servers take the way back through it.
type outside struct {
	balancerSpace, clientSpace *netspace.Space
	balancer, clients          *process
}

// balancerInterface is of a balancer, and of clients outside.
const balancerInterface = "eth0"

// openOutside lets clients outside reach each node.
func (l *lab) openOutside() error {
	for _, n := range l.nodes {
		if n.outside != nil {
			return nil
		}
		if err := l.openOutsideOf(n); err != nil {
			return fmt.Errorf("node %d: clients outside: %w", n.index+1, err)
		}
	}
	return nil
}

func (l *lab) openOutsideOf(n *node) (err error) {
	n.outside = &outside{}
	o := n.outside
	if err := n.space.SetSysctls(map[string]string{
		"net/ipv4/ip_forward": "1", "net/ipv4/conf/all/rp_filter": "0", "net/ipv4/conf/default/rp_filter": "0",
	}); err != nil {
		return err
	}
	if o.balancerSpace, err = n.attach("lb", balancerAddress(n.index)); err != nil {
		return err
	}
	if o.clientSpace, err = n.attach("out", clientAddress(n.index)); err != nil {
		return err
	}
	// Connections to the service go to the balancer; it has no other address of its own that clients use.
	if err := n.route("lb", ourServices[overTCP].Addr(), balancerAddress(n.index)); err != nil {
		return err
	}
	for _, peer := range l.nodes {
		if peer == n {
			continue
		}
		for _, to := range []netip.Addr{balancerAddress(peer.index), clientAddress(peer.index)} {
			if err := n.route("to-"+nameOf(peer.index), to, peer.at); err != nil {
				return err
			}
		}
	}
	options := balancerOptions{Node: n.index, Pins: n.pins, State: filepath.Join(l.mounts.bpf(), "lb-"+nameOf(n.index))}
	if o.balancer, err = start(o.balancerSpace, BalancerCommand, options); err != nil {
		return err
	}
	o.clients, err = start(o.clientSpace, ClientsCommand, clientsOptions{Entry: n.index})
	return err
}

// attach connects a host with an address to the node, through which it reaches everything.
func (n *node) attach(name string, at netip.Addr) (*netspace.Space, error) {
	space, err := netspace.New(fmt.Sprintf("fairlead-bench-%d-%s-%s", os.Getpid(), name, nameOf(n.index)))
	if err != nil {
		return nil, err
	}
	err = netspace.Connect(netspace.End{Space: n.space, Interface: name, Addresses: []netip.Prefix{wholly(n.at)}},
		netspace.End{Space: space, Interface: balancerInterface, Addresses: []netip.Prefix{wholly(at)}})
	if err == nil {
		err = errors.Join(routeIn(n.space, name, wholly(at), netip.Addr{}),
			routeIn(space, balancerInterface, wholly(n.at), netip.Addr{}),
			routeIn(space, balancerInterface, netip.PrefixFrom(netip.IPv4Unspecified(), 0), n.at))
	}
	return space, err
}

func (n *node) route(link string, to, via netip.Addr) error {
	return routeIn(n.space, link, wholly(to), via)
}

// routeIn adds a route, of an interface's own network without a gateway.
func routeIn(space *netspace.Space, name string, to netip.Prefix, via netip.Addr) error {
	link, err := space.Links().LinkByName(name)
	if err != nil {
		return err
	}
	route := &netlink.Route{LinkIndex: link.Attrs().Index, Dst: netlink.NewIPNet(to.Addr().AsSlice()), Scope: netlink.SCOPE_LINK}
	if to.Bits() == 0 {
		route.Dst = nil
	}
	if via.IsValid() {
		route.Gw, route.Scope, route.Flags = via.AsSlice(), netlink.SCOPE_UNIVERSE, int(netlink.FLAG_ONLINK)
	}
	if err := space.Links().RouteReplace(route); err != nil {
		return fmt.Errorf("route %s in %s: %w", to, space.Name, err)
	}
	return nil
}

// Close removes everything.
func (o *outside) Close() error {
	var errs []error
	for _, p := range []*process{o.clients, o.balancer} {
		if p != nil {
			errs = append(errs, p.stop())
		}
	}
	for _, space := range []*netspace.Space{o.clientSpace, o.balancerSpace} {
		if space != nil {
			errs = append(errs, space.Delete())
		}
	}
	return errors.Join(errs...)
}

func balancerAddress(node int) netip.Addr { return netip.AddrFrom4([4]byte{10, 9, 1, byte(node + 1)}) }

func clientAddress(node int) netip.Addr { return netip.AddrFrom4([4]byte{10, 9, 2, byte(node + 1)}) }
