package fib

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"

	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netlink/nl"
	"golang.org/x/sys/unix"
)

// mark identifies a table's routes.
type mark struct {
	owner  uint8  // a number of rt_protos
	metric uint32 // 0: the kernel's default
}

// metricOfIPv6 is the kernel's default; that of IPv4 is 0.
const metricOfIPv6 = 1024

// metricTo is the metric of our routes to a prefix.
func (m mark) metricTo(to netip.Prefix) uint32 {
	if m.metric == 0 && to.Addr().Is6() {
		return metricOfIPv6
	}
	return m.metric
}

// at is the mark of a route with another metric.
func (m mark) at(metric uint32) mark { return mark{m.owner, metric} }

// putRoute routes a prefix to a group. With replace it replaces one of our routes.
func (m mark) putRoute(to netip.Prefix, group uint32, replace bool) error {
	request := m.request(unix.RTM_NEWROUTE, unix.NLM_F_ACK|unix.NLM_F_CREATE|inPlace(replace), to)
	request.AddData(nl.NewRtAttr(routeNextHop, nl.Uint32Attr(group)))
	_, err := request.Execute(unix.NETLINK_ROUTE, 0)
	if errors.Is(err, unix.EEXIST) {
		return fmt.Errorf("another program has a route to it, which stays: %w", err)
	}
	return err
}

func (m mark) deleteRoute(to netip.Prefix) error {
	_, err := m.request(unix.RTM_DELROUTE, unix.NLM_F_ACK, to).Execute(unix.NETLINK_ROUTE, 0)
	return err
}

func (m mark) request(kind, flags int, to netip.Prefix) *nl.NetlinkRequest {
	request := nl.NewNetlinkRequest(kind, flags)
	message := nl.NewRtMsg()
	if kind == unix.RTM_DELROUTE {
		message = nl.NewRtDelMsg()
	}
	message.Family, message.Dst_len, message.Protocol = family(to.Addr()), uint8(to.Bits()), m.owner
	message.Table = unix.RT_TABLE_MAIN
	request.AddData(message)
	request.AddData(nl.NewRtAttr(unix.RTA_DST, to.Masked().Addr().AsSlice()))
	if m.metric > 0 {
		request.AddData(nl.NewRtAttr(unix.RTA_PRIORITY, nl.Uint32Attr(m.metric)))
	}
	return request
}

func family(address netip.Addr) uint8 {
	if address.Is4() {
		return unix.AF_INET
	}
	return unix.AF_INET6
}

// route is a route of the main table with our mark.
type route struct {
	to     netip.Prefix
	group  uint32 // 0: it uses no group
	metric uint32
}

func (m mark) routes(family uint8) (found []route, err error) {
	request := nl.NewNetlinkRequest(unix.RTM_GETROUTE, unix.NLM_F_DUMP)
	message := nl.NewRtMsg()
	message.Family = family
	request.AddData(message)
	messages, err := request.Execute(unix.NETLINK_ROUTE, unix.RTM_NEWROUTE)
	if err != nil {
		return nil, err
	}
	for _, message := range messages {
		one, ours, err := m.parseRoute(message)
		if err != nil {
			return nil, err
		}
		if ours {
			found = append(found, one)
		}
	}
	return found, nil
}

func (m mark) parseRoute(message []byte) (one route, ours bool, err error) {
	if len(message) < unix.SizeofRtMsg {
		return one, false, fmt.Errorf("a message of routes has %d bytes", len(message))
	}
	head := nl.DeserializeRtMsg(message)
	if head.Protocol != m.owner || head.Table != unix.RT_TABLE_MAIN || head.Type != unix.RTN_UNICAST {
		return one, false, nil
	}
	attributes, err := nl.ParseRouteAttr(message[unix.SizeofRtMsg:])
	if err != nil {
		return one, false, err
	}
	for _, attribute := range attributes {
		switch {
		case attribute.Attr.Type == unix.RTA_DST:
			if address, ok := netip.AddrFromSlice(attribute.Value); ok {
				one.to = netip.PrefixFrom(address, int(head.Dst_len))
			}
		case attribute.Attr.Type == unix.RTA_PRIORITY && len(attribute.Value) >= 4:
			one.metric = binary.NativeEndian.Uint32(attribute.Value)
		case attribute.Attr.Type == routeNextHop && len(attribute.Value) >= 4:
			one.group = binary.NativeEndian.Uint32(attribute.Value)
		}
	}
	return one, one.to.IsValid(), nil
}

// wayTo finds the location of a next hop. Neither a default route, which leads everywhere, nor one
// of ours, which would lead to itself, may be used for it.
func (m mark) wayTo(via netip.Addr) (way, error) {
	routes, err := netlink.RouteGetWithOptions(via.AsSlice(), &netlink.RouteGetOptions{FIBMatch: true})
	if err != nil || len(routes) == 0 {
		return way{}, fmt.Errorf("there is no route to %s: %w", via, err)
	}
	found := routes[0]
	switch {
	case found.Dst == nil || isDefault(found.Dst.String()):
		return way{}, fmt.Errorf("there is no route to %s except the default route", via)
	case uint8(found.Protocol) == m.owner:
		return way{}, fmt.Errorf("the route to %s is one of our own routes", via)
	case found.Type != unix.RTN_UNICAST:
		return way{}, fmt.Errorf("%s is not a neighbor", via)
	}
	to := way{link: uint32(found.LinkIndex), gateway: via}
	if len(found.MultiPath) > 0 {
		found.Gw, to.link = found.MultiPath[0].Gw, uint32(found.MultiPath[0].LinkIndex)
	}
	if gateway, ok := netip.AddrFromSlice(found.Gw); ok {
		to.gateway = gateway.Unmap()
	}
	return to, nil
}

func isDefault(prefix string) bool {
	parsed, err := netip.ParsePrefix(prefix)
	return err != nil || parsed.Bits() == 0
}
