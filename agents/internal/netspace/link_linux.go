package netspace

import (
	"fmt"
	"net"
	"net/netip"
	"time"

	"github.com/vishvananda/netlink"
)

// End is one end of a link: an interface of a namespace.
type End struct {
	Space     *Space
	Interface string
	MAC       net.HardwareAddr // the kernel's choice if nil
	Addresses []netip.Prefix
	Bridge    string // of the same namespace, to attach to; may be empty
	MTU       int    // the kernel's choice if 0
}

// Connect creates a link between two namespaces. When it returns, both ends are up with all their
// addresses and routes.
func Connect(a, b End) error {
	attributes := netlink.NewLinkAttrs()
	attributes.Name, attributes.HardwareAddr = a.Interface, a.MAC
	cable := &netlink.Veth{
		LinkAttrs: attributes, PeerName: b.Interface, PeerHardwareAddr: b.MAC,
		PeerNamespace: netlink.NsFd(int(b.Space.handle)),
	}
	if err := a.Space.links.LinkAdd(cable); err != nil {
		return fmt.Errorf("connect %s of %s with %s of %s: %w", a.Interface, a.Space.Name, b.Interface, b.Space.Name, err)
	}
	for _, end := range []End{a, b} {
		if err := end.configure(); err != nil {
			return err
		}
	}
	return waitUntilReady(a, b)
}

func (e End) configure() error {
	if e.MTU > 0 {
		setMTU := func(link netlink.Link) error { return e.Space.links.LinkSetMTU(link, e.MTU) }
		if err := e.Space.withLink(e.Interface, "set the MTU of", setMTU); err != nil {
			return err
		}
	}
	for _, address := range e.Addresses {
		if err := e.Space.AddAddress(e.Interface, address); err != nil {
			return err
		}
	}
	if e.Bridge != "" {
		if err := e.Space.plug(e.Interface, e.Bridge); err != nil {
			return err
		}
	}
	return e.Space.Up(e.Interface)
}

// AddBridge creates a bridge inside the namespace.
func (s *Space) AddBridge(name string) error {
	attributes := netlink.NewLinkAttrs()
	attributes.Name = name
	if err := s.links.LinkAdd(&netlink.Bridge{LinkAttrs: attributes}); err != nil {
		return fmt.Errorf("add bridge %s to %s: %w", name, s.Name, err)
	}
	return s.Up(name)
}

// Up brings an interface up.
func (s *Space) Up(name string) error {
	return s.withLink(name, "bring up", s.links.LinkSetUp)
}

// Down sets an interface down, as if its cable were unplugged.
func (s *Space) Down(name string) error {
	return s.withLink(name, "take down", s.links.LinkSetDown)
}

// AddAddress adds an address to an interface; IPv6 ones are usable at once.
func (s *Space) AddAddress(name string, address netip.Prefix) error {
	return s.withLink(name, "add "+address.String()+" to", func(link netlink.Link) error {
		parsed := &netlink.Addr{IPNet: ipNet(address)}
		if address.Addr().Is6() {
			parsed.Flags = 0x02 // IFA_F_NODAD: there are no other hosts
		}
		return s.links.AddrReplace(link, parsed)
	})
}

// AddRoute routes a prefix via an address; "0.0.0.0/0" is the default route.
func (s *Space) AddRoute(to netip.Prefix, via netip.Addr) error {
	route := &netlink.Route{Dst: ipNet(to), Gw: via.AsSlice()}
	if err := s.links.RouteReplace(route); err != nil {
		return fmt.Errorf("route %s via %s in %s: %w", to, via, s.Name, err)
	}
	return nil
}

// AddLocal makes a whole prefix local: packets to any of its addresses are accepted and can be
// listened on, without an interface that answers ARP for them.
func (s *Space) AddLocal(prefix netip.Prefix) error {
	return s.withLink("lo", "make "+prefix.String()+" local to", func(link netlink.Link) error {
		return s.links.RouteReplace(&netlink.Route{
			Dst: ipNet(prefix), LinkIndex: link.Attrs().Index, Type: 2 /* RTN_LOCAL */, Table: 255, Scope: netlink.SCOPE_HOST,
		})
	})
}

// Narrow limits the rate of an interface in Mbit/s. Packets that queue for longer than narrowQueue
// are dropped.
func (s *Space) Narrow(name string, mbps int) error {
	return s.withLink(name, "narrow", func(link netlink.Link) error {
		rate := uint64(mbps) * 1_000_000 / 8
		burst := max(mostTrain, uint32(rate/1000))
		return s.links.QdiscReplace(&netlink.Tbf{
			QdiscAttrs: netlink.QdiscAttrs{LinkIndex: link.Attrs().Index, Handle: netlink.MakeHandle(1, 0), Parent: netlink.HANDLE_ROOT},
			Rate:       rate, Buffer: netlink.Xmittime(rate, burst), Limit: burst + uint32(float64(rate)*narrowQueue.Seconds()),
		})
	})
}

const (
	narrowQueue = 20 * time.Millisecond
	mostTrain   = 1 << 17 // bytes of segments that pass as one burst
)

func (s *Space) plug(name, bridge string) error {
	return s.withLink(bridge, "find", func(master netlink.Link) error {
		return s.withLink(name, "plug in", func(link netlink.Link) error { return s.links.LinkSetMaster(link, master) })
	})
}

func (s *Space) withLink(name, doing string, do func(netlink.Link) error) error {
	link, err := s.links.LinkByName(name)
	if err == nil {
		err = do(link)
	}
	if err != nil {
		return fmt.Errorf("%s %s of %s: %w", doing, name, s.Name, err)
	}
	return nil
}

func ipNet(prefix netip.Prefix) *net.IPNet {
	return &net.IPNet{IP: prefix.Addr().AsSlice(), Mask: net.CIDRMask(prefix.Bits(), prefix.Addr().BitLen())}
}
