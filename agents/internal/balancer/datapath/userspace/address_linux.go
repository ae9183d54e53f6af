package userspace

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"syscall"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// routeProtocol marks local routes of this engine, also for later processes. See
// /etc/iproute2/rt_protos for assigned numbers.
const routeProtocol = 201

// freely lets a socket listen on an address that only a local prefix covers.
func freely(address netip.Addr) func(network, address string, conn syscall.RawConn) error {
	return func(_, _ string, conn syscall.RawConn) error {
		var failed error
		err := conn.Control(func(fd uintptr) {
			if address.Is4() {
				failed = unix.SetsockoptInt(int(fd), unix.SOL_IP, unix.IP_FREEBIND, 1)
			} else {
				failed = unix.SetsockoptInt(int(fd), unix.SOL_IPV6, unix.IPV6_FREEBIND, 1)
			}
		})
		return errors.Join(err, failed)
	}
}

// owned are this engine's local routes: the number of newly added ones, and those from
// before.
type owned struct {
	made   int
	before map[netip.Addr]netlink.Route
	failed map[netip.Addr]error // addresses that could not be added
}

// own makes every service address local on this host, where it isn't already.
func own(services []datapath.Service) (o owned, err error) {
	if o.before, err = ourRoutes(); err != nil {
		return owned{}, err
	}
	o.failed = map[netip.Addr]error{}
	seen := map[netip.Addr]bool{}
	for _, service := range services {
		address := service.Key.Address
		if seen[address] {
			continue
		}
		seen[address] = true
		if _, have := o.before[address]; have || isLocal(address) {
			continue
		}
		route := localRoute(address)
		if err := netlink.RouteAdd(route); err != nil && !errors.Is(err, unix.EEXIST) {
			o.failed[address] = fmt.Errorf("can't add the address to this host: %w; give the agent CAP_NET_ADMIN, or the host the address", err)
			continue
		}
		o.made++
	}
	return o, nil
}

// giveUp deletes the routes that these services don't need, and returns the number of
// changes since before own.
func (o owned) giveUp(services []datapath.Service) (changes int, err error) {
	needed := map[netip.Addr]bool{}
	for _, service := range services {
		needed[service.Key.Address] = true
	}
	var extra []netlink.Route
	for address, route := range o.before {
		if !needed[address] {
			extra = append(extra, route)
		}
	}
	given, err := giveUp(extra)
	return o.made + given, err
}

func giveUp(routes []netlink.Route) (given int, err error) {
	for i := range routes {
		if err := netlink.RouteDel(&routes[i]); err != nil && !errors.Is(err, unix.ESRCH) {
			return given, fmt.Errorf("delete the address %s: %w", routes[i].Dst, err)
		}
		given++
	}
	return given, nil
}

func ourRoutes() (map[netip.Addr]netlink.Route, error) {
	ours := map[netip.Addr]netlink.Route{}
	filter := &netlink.Route{Table: unix.RT_TABLE_LOCAL, Protocol: routeProtocol}
	for _, family := range []int{netlink.FAMILY_V4, netlink.FAMILY_V6} {
		routes, err := netlink.RouteListFiltered(family, filter, netlink.RT_FILTER_TABLE|netlink.RT_FILTER_PROTOCOL)
		if err != nil {
			return nil, fmt.Errorf("list the local addresses of this host: %w", err)
		}
		for _, route := range routes {
			if address, ok := netip.AddrFromSlice(route.Dst.IP); ok {
				ours[address.Unmap()] = route
			}
		}
	}
	return ours, nil
}

func isLocal(address netip.Addr) bool {
	routes, err := netlink.RouteGet(address.AsSlice())
	return err == nil && len(routes) > 0 && routes[0].Type == unix.RTN_LOCAL
}

func localRoute(address netip.Addr) *netlink.Route {
	return &netlink.Route{
		Dst:  &net.IPNet{IP: address.AsSlice(), Mask: net.CIDRMask(address.BitLen(), address.BitLen())},
		Type: unix.RTN_LOCAL, Table: unix.RT_TABLE_LOCAL, Protocol: routeProtocol,
		Scope: netlink.SCOPE_HOST, LinkIndex: loopbackIndex,
	}
}

// loopbackIndex is the same in every namespace: the kernel creates lo first.
const loopbackIndex = 1
