package neighbour

import (
	"fmt"
	"net/netip"
	"os"

	"github.com/vishvananda/netlink"
)

// OfEngine is an error that another engine may not have.
type OfEngine struct{ Reason error }

// Error returns the reason.
func (e OfEngine) Error() string { return e.Reason.Error() }

// NoHop is the next hop of a backend without a path.
var NoHop Hop

// device is one of our own interfaces.
type device struct {
	Hardware [6]byte
	MTU      uint16
	longest  uint32 // longest packet that it takes without splitting it first
}

// Hop is the next hop to an address.
type Hop struct {
	Next netip.Addr // the address itself when it is on the link
	Link int
}

// HopTo returns the next hop to an address.
func (n *Network) HopTo(to netip.Addr) (Hop, error) {
	for _, prefix := range n.prefixes {
		if prefix.Contains(to) {
			return Hop{Next: to, Link: n.Index}, nil
		}
	}
	if cached, ok := n.routes[to]; ok {
		return cached, nil
	}
	routes, err := n.Links.RouteGet(to.AsSlice())
	if err == nil && len(routes) == 0 {
		err = os.ErrNotExist
	}
	if err != nil {
		return Hop{}, fmt.Errorf("has no route: %w", err)
	}
	found := Hop{Next: to, Link: routes[0].LinkIndex}
	if gateway, ok := netip.AddrFromSlice(routes[0].Gw); ok && !gateway.IsUnspecified() {
		found.Next = gateway.Unmap()
	}
	n.routes[to] = found
	return found, nil
}

// Device returns one of our own interfaces. Its errors continue a sentence about a backend.
func (n *Network) Device(index int) (device, error) {
	if found, ok := n.devices[index]; ok {
		return found, nil
	}
	link, err := n.Links.LinkByIndex(index)
	if err != nil {
		return device{}, fmt.Errorf("has a route by interface %d, which can't be read: %w", index, err)
	}
	if len(link.Attrs().HardwareAddr) != 6 {
		return device{}, OfEngine{Reason: fmt.Errorf("has a route by %s, which isn't Ethernet; give another engine", link.Attrs().Name)}
	}
	n.devices[index] = deviceOf(link.Attrs())
	return n.devices[index], nil
}

func deviceOf(attributes *netlink.LinkAttrs) device {
	return device{Hardware: [6]byte(attributes.HardwareAddr), MTU: uint16(min(attributes.MTU, 65535)), longest: max(attributes.GSOMaxSize, attributes.GSOIPv4MaxSize)}
}
