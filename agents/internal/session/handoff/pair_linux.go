package handoff

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strings"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// The engine sends to the outer interface, and the companion is at the inner one.
const (
	outer = "fl-proxy-out"
	inner = "fl-proxy-in"
)

// The addresses of the proxy as a backend. Only the routes of the outer interface have them: the namespace doesn't own
// them, so that the engine sends to it as to another host.
var (
	address4 = netip.MustParseAddr("169.254.74.47")
	address6 = netip.MustParseAddr("fd74:4747::1")
)

// innerAddress is there because the kernel checks the sources of packets strictly at an interface without one.
var innerAddress = netip.MustParseAddr("169.254.74.46")

const mtuMost = 65535 // what arrives may be merged, and is never split here

type pair struct {
	out, in int // indexes
	to      net.HardwareAddr
}

func openPair() (p pair, err error) {
	var errs [2]error
	found := [2]netlink.Link{}
	for i, name := range []string{outer, inner} {
		found[i], errs[i] = netlink.LinkByName(name)
	}
	if errors.Join(errs[:]...) != nil {
		if err := p.remove(); err != nil {
			return p, err
		}
		if found, err = create(); err != nil {
			return p, fmt.Errorf("create the interfaces %s and %s: %w", outer, inner, err)
		}
	}
	for _, link := range found {
		if err := netlink.LinkSetUp(link); err != nil {
			return p, fmt.Errorf("bring up %s: %w", link.Attrs().Name, err)
		}
	}
	if err := netlink.AddrReplace(found[1], &netlink.Addr{IPNet: alone(innerAddress)}); err != nil {
		return p, fmt.Errorf("add %s to %s: %w", innerAddress, inner, err)
	}
	p = pair{found[0].Attrs().Index, found[1].Attrs().Index, found[1].Attrs().HardwareAddr}
	_ = os.WriteFile(settingOf(inner, "forwarding"), []byte("0"), 0) // what the companion doesn't take must not return
	return p, acceptAnySource()
}

func create() (found [2]netlink.Link, err error) {
	attributes := netlink.NewLinkAttrs()
	attributes.Name, attributes.MTU = outer, mtuMost
	if err := netlink.LinkAdd(&netlink.Veth{LinkAttrs: attributes, PeerName: inner, PeerMTU: mtuMost}); err != nil {
		return found, err
	}
	for i, name := range []string{outer, inner} {
		if found[i], err = netlink.LinkByName(name); err != nil {
			return found, err
		}
	}
	return found, nil
}

func settingOf(name, setting string) string { return "/proc/sys/net/ipv4/conf/" + name + "/" + setting }

// acceptAnySource: the replies to clients leave by another interface, which the strict check would reject.
func acceptAnySource() error {
	const strict = "1"
	failed := os.WriteFile(settingOf(inner, "rp_filter"), []byte("2"), 0)
	if failed == nil {
		return nil
	}
	for _, name := range []string{"all", inner} {
		if value, err := os.ReadFile(settingOf(name, "rp_filter")); err == nil && strings.TrimSpace(string(value)) == strict {
			return fmt.Errorf("net.ipv4.conf.%s.rp_filter is 1 and can't be changed (%w): set it to 0 or 2", name, failed)
		}
	}
	return nil
}

func alone(address netip.Addr) *net.IPNet {
	return &net.IPNet{IP: address.AsSlice(), Mask: net.CIDRMask(address.BitLen(), address.BitLen())}
}

// lead sends what is for an address to the outer interface. A change of routes would be noticed, so it changes nothing
// that is right.
func (p pair) lead(to netip.Addr) error {
	if found, err := netlink.RouteGet(to.AsSlice()); err == nil && len(found) > 0 && found[0].LinkIndex == p.out {
		return nil
	}
	route := &netlink.Route{
		LinkIndex: p.out, Scope: netlink.SCOPE_LINK, Protocol: unix.RTPROT_STATIC,
		Dst: alone(to),
	}
	family := netlink.FAMILY_V6
	if to.Is4() {
		family = netlink.FAMILY_V4
	}
	err := netlink.NeighSet(&netlink.Neigh{LinkIndex: p.out, Family: family, State: netlink.NUD_PERMANENT, IP: to.AsSlice(), HardwareAddr: p.to})
	if err != nil {
		return fmt.Errorf("set the link address of %s at %s: %w", to, outer, err)
	}
	if err := netlink.RouteReplace(route); err != nil {
		return fmt.Errorf("route %s to %s: %w", to, outer, err)
	}
	return nil
}

// remove removes what is there of the pair.
func (pair) remove() error {
	for _, name := range []string{outer, inner} {
		link, err := netlink.LinkByName(name)
		if err != nil {
			if _, missing := errors.AsType[netlink.LinkNotFoundError](err); missing {
				continue
			}
			return fmt.Errorf("find %s: %w", name, err)
		}
		if err := netlink.LinkDel(link); err != nil {
			return fmt.Errorf("remove %s: %w", name, err)
		}
	}
	return nil
}
