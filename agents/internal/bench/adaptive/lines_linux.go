package adaptive

import (
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/vishvananda/netlink"

	"fairlead.dev/agents/internal/lab/wire"
	"fairlead.dev/agents/internal/netspace"
)

// connect lays a line with a delay between two nodes. Each pair has its own, so that a packet crosses one only: lines take
// CPU time, too.
func (l *lab) connect(a, b *node, roundTrip time.Duration) error {
	near, far := nameOf(a.index)+"-"+nameOf(b.index), nameOf(b.index)+"-"+nameOf(a.index)
	if err := errors.Join(l.plug(a, b, near), l.plug(b, a, far)); err != nil {
		return err
	}
	line, err := wire.Open(l.hub, near, far)
	if err != nil {
		return err
	}
	line.Set(roundTrip/2, 0)
	l.lines = append(l.lines, line)
	return nil
}

// plug connects a node to its end of the line to a peer. It has the same address at all its interfaces.
func (l *lab) plug(n, peer *node, end string) error {
	name := "to-" + nameOf(peer.index)
	if err := netspace.Connect(
		netspace.End{Space: n.space, Interface: name, Addresses: []netip.Prefix{netip.PrefixFrom(n.at, 32)}},
		netspace.End{Space: l.hub, Interface: end}); err != nil {
		return err
	}
	link, err := n.space.Links().LinkByName(name)
	if err != nil {
		return err
	}
	// Addresses of services need any route, to be translated.
	for _, to := range []netip.Prefix{netip.PrefixFrom(peer.at, 32), netip.PrefixFrom(translatedService.Addr(), 32)} {
		route := &netlink.Route{LinkIndex: link.Attrs().Index, Dst: netlink.NewIPNet(to.Addr().AsSlice()), Scope: netlink.SCOPE_LINK}
		if err := n.space.Links().RouteReplace(route); err != nil {
			return fmt.Errorf("route %s to %s: %w", to, peer.space.Name, err)
		}
	}
	return nil
}
