package bpf

import (
	"fmt"
	"net/netip"
	"os"

	"github.com/vishvananda/netlink"
)

// ofEngine is an error that another engine may not have.
type ofEngine struct{ error }

// noHop is the next hop of a backend without a path.
var noHop hop

// device is one of our own interfaces.
type device struct {
	hardware [6]byte
	mtu      uint16
	longest  uint32 // longest packet that it takes without splitting it first
}

// hop is the next hop to an address.
type hop struct {
	next netip.Addr // the address itself when it is on the link
	link int
}

// hopTo returns the next hop to an address.
func (n *network) hopTo(to netip.Addr) (hop, error) {
	for _, prefix := range n.prefixes {
		if prefix.Contains(to) {
			return hop{next: to, link: n.index}, nil
		}
	}
	if cached, ok := n.routes[to]; ok {
		return cached, nil
	}
	routes, err := n.links.RouteGet(to.AsSlice())
	if err == nil && len(routes) == 0 {
		err = os.ErrNotExist
	}
	if err != nil {
		return hop{}, fmt.Errorf("has no route: %w", err)
	}
	found := hop{next: to, link: routes[0].LinkIndex}
	if gateway, ok := netip.AddrFromSlice(routes[0].Gw); ok && !gateway.IsUnspecified() {
		found.next = gateway.Unmap()
	}
	n.routes[to] = found
	return found, nil
}

func (n *network) device(index int) (device, error) {
	if found, ok := n.devices[index]; ok {
		return found, nil
	}
	link, err := n.links.LinkByIndex(index)
	if err != nil {
		return device{}, fmt.Errorf("has a route by interface %d, which can't be read: %w", index, err)
	}
	if len(link.Attrs().HardwareAddr) != 6 {
		return device{}, ofEngine{fmt.Errorf("has a route by %s, which isn't Ethernet; give another engine", link.Attrs().Name)}
	}
	n.devices[index] = deviceOf(link.Attrs())
	return n.devices[index], nil
}

func deviceOf(attributes *netlink.LinkAttrs) device {
	return device{hardware: [6]byte(attributes.HardwareAddr), mtu: uint16(min(attributes.MTU, 65535)), longest: max(attributes.GSOMaxSize, attributes.GSOIPv4MaxSize)}
}
