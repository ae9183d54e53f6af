package neighbour

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strconv"

	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netns"
	"golang.org/x/sys/unix"
)

// Network is the kernel's view of the paths to backends, in the namespace in which the
// network was opened.
type Network struct {
	Space     netns.NsHandle
	Links     *netlink.Handle
	Name      string
	Index     int
	Hardware  net.HardwareAddr
	prefixes  []netip.Prefix
	Sources   [2]netip.Addr // IPv4, IPv6
	neighbour map[netip.Addr]neighbour
	routes    map[netip.Addr]Hop // cleared by each read
	devices   map[int]device

	raw      *os.File // a socket for whole frames
	RawError error    // why there is none

	NATFirst, NATPorts uint16 // for translated flows, outside of the kernel's own range
}

// Open finds an interface in the current namespace, by its name.
func Open(name string) (*Network, error) {
	space, err := netns.Get()
	if err != nil {
		return nil, fmt.Errorf("find the network namespace: %w", err)
	}
	links, err := netlink.NewHandleAt(space, unix.NETLINK_ROUTE)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open netlink: %w", err), space.Close())
	}
	n := &Network{Space: space, Links: links, Name: name, neighbour: map[netip.Addr]neighbour{}}
	err = n.Within(func() error { n.openRaw(); return nil })
	if err == nil {
		err = n.Read()
	}
	if err != nil {
		return nil, errors.Join(err, n.Close())
	}
	return n, nil
}

// Close closes the sockets.
func (n *Network) Close() error {
	n.Links.Close()
	if n.RawError == nil {
		_ = n.raw.Close()
	}
	return n.Space.Close()
}

// openRaw opens the socket for sending frames. It receives nothing.
func (n *Network) openRaw() {
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		n.RawError = fmt.Errorf("open a packet socket (give the agent CAP_NET_RAW): %w", err)
		return
	}
	n.raw = os.NewFile(uintptr(fd), "packets")
}

// Send sends a whole frame.
func (n *Network) Send(link int, frame []byte) error {
	conn, err := n.raw.SyscallConn()
	if err != nil {
		return fmt.Errorf("use the packet socket: %w", err)
	}
	var failed error
	err = conn.Control(func(fd uintptr) { // not during Close
		failed = unix.Sendto(int(fd), frame, unix.MSG_DONTWAIT, &unix.SockaddrLinklayer{Ifindex: link})
	})
	if err = errors.Join(err, failed); err != nil {
		return fmt.Errorf("send a frame by interface %d: %w", link, err)
	}
	return nil
}

// NameOf returns the name of an interface, or its number if it can't be read.
func (n *Network) NameOf(index int) string {
	if index == n.Index {
		return n.Name
	}
	link, err := n.Links.LinkByIndex(index)
	if err != nil {
		return strconv.Itoa(index)
	}
	return link.Attrs().Name
}

// Longest returns the longest packet that an interface sends without splitting it first; 0
// if no path to a backend uses it.
func (n *Network) Longest(index int) uint32 { return n.devices[index].longest }

// Read reads the interface's current state.
func (n *Network) Read() error {
	link, err := n.Links.LinkByName(n.Name)
	if err != nil {
		return fmt.Errorf("find interface %q (name one that exists): %w", n.Name, err)
	}
	attributes := link.Attrs()
	if len(attributes.HardwareAddr) != 6 {
		return fmt.Errorf("interface %s isn't Ethernet: name one that is", n.Name)
	}
	n.Index, n.Hardware = attributes.Index, attributes.HardwareAddr
	n.prefixes, n.Sources = n.prefixes[:0], [2]netip.Addr{netip.IPv4Unspecified(), netip.IPv6Unspecified()}
	n.routes, n.devices = map[netip.Addr]Hop{}, map[int]device{n.Index: deviceOf(attributes)}
	addresses, err := n.Links.AddrList(link, netlink.FAMILY_ALL)
	if err != nil {
		return fmt.Errorf("list addresses of %s: %w", n.Name, err)
	}
	for _, found := range addresses {
		ip, ok := netip.AddrFromSlice(found.IP)
		ones, _ := found.Mask.Size()
		if ip = ip.Unmap(); !ok || ip.IsLinkLocalUnicast() {
			continue
		}
		n.prefixes = append(n.prefixes, netip.PrefixFrom(ip, ones).Masked())
		family := 0
		if ip.Is6() {
			family = 1
		}
		if n.Sources[family].IsUnspecified() {
			n.Sources[family] = ip
		}
	}
	return n.readNeighbours()
}
