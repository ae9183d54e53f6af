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

// owned are this engine's local routes: newly added ones, and those that no service needs
// any more.
type owned struct{ made, extra []netlink.Route }

// own makes every service address local on this host, where it isn't already.
func own(services []datapath.Service) (o owned, err error) {
	ours, err := ourRoutes()
	if err != nil {
		return owned{}, err
	}
	needed := map[netip.Addr]bool{}
	for _, service := range services {
		address := service.Key.Address
		if needed[address] {
			continue
		}
		needed[address] = true
		if _, have := ours[address]; have || isLocal(address) {
			continue
		}
		route := localRoute(address)
		if err := netlink.RouteAdd(route); err != nil && !errors.Is(err, unix.EEXIST) {
			err = fmt.Errorf("service %s: add the address to this host: %w; give the agent CAP_NET_ADMIN, or the host the address", service.Key, err)
			return owned{}, errors.Join(err, o.undo())
		}
		o.made = append(o.made, *route)
	}
	for address, route := range ours {
		if !needed[address] {
			o.extra = append(o.extra, route)
		}
	}
	return o, nil
}

// undo deletes the added routes.
func (o owned) undo() error {
	_, err := giveUp(o.made)
	return err
}

// giveUp deletes routes that are no longer needed, and returns the number of all changes.
func (o owned) giveUp() (changes int, err error) {
	given, err := giveUp(o.extra)
	return len(o.made) + given, err
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
