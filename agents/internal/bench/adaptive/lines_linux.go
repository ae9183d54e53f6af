package adaptive

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/vishvananda/netlink"

	"fairlead.dev/agents/internal/lab/wire"
	"fairlead.dev/agents/internal/netspace"
)

// LinesCommand is the command of the delay lines between all nodes.
const LinesCommand = "adaptive-lines"

type linesOptions struct {
	Hub    string      // the namespace
	Ends   [][2]string // of each line
	OneWay time.Duration
}

// linesOrder sets the delay of one line.
type linesOrder struct {
	Line   int
	OneWay time.Duration
}

// linePeriod is how often frames under way are looked at.
const linePeriod = 200 * time.Microsecond

// Lines delays frames until its input ends.
func Lines(argument string) (err error) {
	var options linesOptions
	if err := json.Unmarshal([]byte(argument), &options); err != nil {
		return err
	}
	hub, err := netspace.Open(options.Hub)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, hub.Close()) }()
	bundle, err := openLines(hub, options.Ends, options.OneWay)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, bundle.Close()) }()
	return obey(func(order linesOrder) (any, error) {
		setDelay(bundle.Lines[order.Line], order.OneWay)
		return nil, nil
	})
}

// setDelay counts that a frame waits half a period to be read, and half to be sent, on average.
func setDelay(line *wire.Line, oneWay time.Duration) { line.Set(oneWay-linePeriod, 0) }

// openLines has priority: on a machine of their own, lines would need no CPU time of nodes.
func openLines(hub *netspace.Space, ends [][2]string, oneWay time.Duration) (*wire.Bundle, error) {
	bundle, err := wire.OpenBundle(hub, ends, linePeriod)
	if err != nil {
		return nil, err
	}
	for _, line := range bundle.Lines {
		setDelay(line, oneWay)
	}
	if err := hurry(); err != nil {
		return nil, errors.Join(err, bundle.Close())
	}
	return bundle, nil
}

// connect lays a line with a delay between each pair of nodes, so that a packet crosses one only.
func (l *lab) connect(roundTrip time.Duration) (err error) {
	options := linesOptions{Hub: l.hub.Name, OneWay: roundTrip / 2}
	for i, a := range l.nodes {
		for _, b := range l.nodes[:i] {
			near, far := nameOf(a.index)+"-"+nameOf(b.index), nameOf(b.index)+"-"+nameOf(a.index)
			if err := errors.Join(l.plug(a, b, near), l.plug(b, a, far)); err != nil {
				return fmt.Errorf("connect %s: %w", near, err)
			}
			options.Ends = append(options.Ends, [2]string{near, far})
		}
	}
	l.lines, err = start(l.hub, LinesCommand, options)
	return err
}

// delay sets the round trip between all nodes.
func (l *lab) delay(roundTrip time.Duration) error {
	for line := range nodes * (nodes - 1) / 2 {
		if err := l.lines.order(linesOrder{line, roundTrip / 2}, nil); err != nil {
			return err
		}
	}
	return nil
}

// plug connects a node to its end of the line to a peer. It has the same addresses at all its interfaces.
func (l *lab) plug(n, peer *node, end string) error {
	name := "to-" + nameOf(peer.index)
	own := []netip.Prefix{wholly(n.at), wholly(n.at6)}
	if err := netspace.Connect(
		netspace.End{Space: n.space, Interface: name, Addresses: own}, netspace.End{Space: l.hub, Interface: end}); err != nil {
		return err
	}
	link, err := n.space.Links().LinkByName(name)
	if err != nil {
		return err
	}
	// Addresses of services need any route, to be translated.
	for _, to := range []netip.Addr{peer.at, peer.at6, translatedService.Addr()} {
		route := &netlink.Route{LinkIndex: link.Attrs().Index, Dst: netlink.NewIPNet(to.AsSlice()), Scope: netlink.SCOPE_LINK}
		if err := n.space.Links().RouteReplace(route); err != nil {
			return fmt.Errorf("route %s to %s: %w", to, peer.space.Name, err)
		}
	}
	return nil
}

// wholly is the prefix of one address.
func wholly(at netip.Addr) netip.Prefix { return netip.PrefixFrom(at, at.BitLen()) }
