package netspace

import (
	"fmt"
	"net"
	"net/netip"
	"time"

	"github.com/vishvananda/netlink"
)

// End is one end of a cable: an interface of a namespace.
type End struct {
	Space     *Space
	Interface string
	MAC       net.HardwareAddr // the kernel's choice when nil
	Addresses []netip.Prefix
	Bridge    string // the interface of the same namespace to plug into, if any
	MTU       int    // the kernel's choice when 0
}

// Connect lays a cable between two namespaces and brings both ends up.
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
	return nil
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

// AddBridge makes a switch inside the namespace.
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

// Down takes an interface down, as if its cable were pulled.
func (s *Space) Down(name string) error {
	return s.withLink(name, "take down", s.links.LinkSetDown)
}

// AddAddress gives an interface an address; IPv6 ones may be used at once.
func (s *Space) AddAddress(name string, address netip.Prefix) error {
	return s.withLink(name, "add "+address.String()+" to", func(link netlink.Link) error {
		parsed := &netlink.Addr{IPNet: ipNet(address)}
		if address.Addr().Is6() {
			parsed.Flags = 0x02 // IFA_F_NODAD: nobody else is here to object
		}
		return s.links.AddrReplace(link, parsed)
	})
}

// AddRoute sends a prefix by way of an address, "0.0.0.0/0" being everything.
func (s *Space) AddRoute(to netip.Prefix, via netip.Addr) error {
	route := &netlink.Route{Dst: ipNet(to), Gw: via.AsSlice()}
	if err := s.links.RouteReplace(route); err != nil {
		return fmt.Errorf("route %s via %s in %s: %w", to, via, s.Name, err)
	}
	return nil
}

// AddLocal makes a whole prefix the namespace's own: packets to any of its
// addresses are accepted and may be listened on, without an interface that
// answers ARP for them.
func (s *Space) AddLocal(prefix netip.Prefix) error {
	return s.withLink("lo", "make "+prefix.String()+" local to", func(link netlink.Link) error {
		return s.links.RouteReplace(&netlink.Route{
			Dst: ipNet(prefix), LinkIndex: link.Attrs().Index, Type: 2 /* RTN_LOCAL */, Table: 255, Scope: netlink.SCOPE_HOST,
		})
	})
}

// Narrow bounds what an interface sends, in Mbit/s. What waits for longer than narrowQueue is dropped.
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
	mostTrain   = 1 << 17 // bytes of segments that pass in one piece
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
