package fib

import (
	"errors"
	"fmt"
	"net/netip"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// Rival returns another program's route that the kernel prefers to ours for a prefix; nil if the
// kernel uses ours, or there is none of ours.
func (t *Table) Rival(to netip.Prefix) (rival *Rival, err error) {
	if !t.groups[to].routed {
		return nil, nil
	}
	err = t.options.Inside(func() error {
		routes, err := netlink.RouteGetWithOptions(to.Masked().Addr().AsSlice(), &netlink.RouteGetOptions{FIBMatch: true})
		if dropped(err) {
			rival = &Rival{Drops: true}
			return nil
		}
		if err != nil || len(routes) == 0 {
			return err
		}
		rival = t.rival(to, routes[0])
		return nil
	})
	if errors.Is(err, unix.ENETUNREACH) {
		return nil, nil // our route is gone too; Check notices that
	}
	if err != nil {
		return nil, fmt.Errorf("read the route to %s%s: %w", to, t.where(), err)
	}
	return rival, nil
}

// dropped reports whether the kernel's answer means a route that drops traffic: unreachable,
// blackhole or prohibit.
func dropped(err error) bool {
	return errors.Is(err, unix.EHOSTUNREACH) || errors.Is(err, unix.EINVAL) || errors.Is(err, unix.EACCES)
}

func (t *Table) rival(to netip.Prefix, used netlink.Route) *Rival {
	bits := 0
	if used.Dst != nil {
		bits, _ = used.Dst.Mask.Size()
	}
	switch main := used.Table == unix.RT_TABLE_MAIN; {
	case main && uint8(used.Protocol) == t.options.Owner:
		return nil
	case bits > to.Bits():
		return nil // it covers only a part of the prefix
	case main && bits < to.Bits():
		return nil // our route is gone too
	}
	rival := &Rival{
		Protocol: used.Protocol.String(), Metric: uint32(used.Priority), Table: used.Table,
		Local: used.Type == unix.RTN_LOCAL, Drops: used.Type != unix.RTN_LOCAL && used.Type != unix.RTN_UNICAST,
	}
	if len(used.MultiPath) > 0 {
		used.Gw, used.LinkIndex = used.MultiPath[0].Gw, used.MultiPath[0].LinkIndex
	}
	if via, is := netip.AddrFromSlice(used.Gw); is {
		rival.Via = via.Unmap()
	}
	if link, err := netlink.LinkByIndex(used.LinkIndex); err == nil {
		rival.Link = link.Attrs().Name
	}
	return rival
}
