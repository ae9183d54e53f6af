package bpf

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

// network is the kernel's view of the paths to backends, in the namespace in which the
// engine was opened.
type network struct {
	space     netns.NsHandle
	links     *netlink.Handle
	name      string
	index     int
	hardware  net.HardwareAddr
	prefixes  []netip.Prefix
	sources   [2]netip.Addr // IPv4, IPv6
	neighbour map[netip.Addr]neighbour
	routes    map[netip.Addr]hop // cleared by each read
	devices   map[int]device

	raw      *os.File // a socket for whole frames
	rawError error    // why there is none

	natFirst, natPorts uint16 // for translated flows, outside of the kernel's own range
}

func openNetwork(name string) (*network, error) {
	space, err := netns.Get()
	if err != nil {
		return nil, fmt.Errorf("find the network namespace: %w", err)
	}
	links, err := netlink.NewHandleAt(space, unix.NETLINK_ROUTE)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open netlink: %w", err), space.Close())
	}
	n := &network{space: space, links: links, name: name, neighbour: map[netip.Addr]neighbour{}}
	err = n.within(func() error { n.openRaw(); return nil })
	if err == nil {
		err = n.read()
	}
	if err != nil {
		return nil, errors.Join(err, n.Close())
	}
	return n, nil
}

func (n *network) Close() error {
	n.links.Close()
	if n.rawError == nil {
		_ = n.raw.Close()
	}
	return n.space.Close()
}

// openRaw opens the socket for sending frames. It receives nothing.
func (n *network) openRaw() {
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		n.rawError = fmt.Errorf("open a packet socket (give the agent CAP_NET_RAW): %w", err)
		return
	}
	n.raw = os.NewFile(uintptr(fd), "packets")
}

// send sends a whole frame.
func (n *network) send(link int, frame []byte) error {
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

// nameOf returns the name of an interface, or its number if it can't be read.
func (n *network) nameOf(index int) string {
	if index == n.index {
		return n.name
	}
	link, err := n.links.LinkByIndex(index)
	if err != nil {
		return strconv.Itoa(index)
	}
	return link.Attrs().Name
}

// longest returns the longest packet that an interface sends without splitting it first; 0
// if no path to a backend uses it.
func (n *network) longest(index int) uint32 { return n.devices[index].longest }

// read reads the interface's current state.
func (n *network) read() error {
	link, err := n.links.LinkByName(n.name)
	if err != nil {
		return fmt.Errorf("find interface %q (name one that exists): %w", n.name, err)
	}
	attributes := link.Attrs()
	if len(attributes.HardwareAddr) != 6 {
		return fmt.Errorf("interface %s isn't Ethernet: name one that is", n.name)
	}
	n.index, n.hardware = attributes.Index, attributes.HardwareAddr
	n.prefixes, n.sources = n.prefixes[:0], [2]netip.Addr{netip.IPv4Unspecified(), netip.IPv6Unspecified()}
	n.routes, n.devices = map[netip.Addr]hop{}, map[int]device{n.index: deviceOf(attributes)}
	addresses, err := n.links.AddrList(link, netlink.FAMILY_ALL)
	if err != nil {
		return fmt.Errorf("list addresses of %s: %w", n.name, err)
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
		if n.sources[family].IsUnspecified() {
			n.sources[family] = ip
		}
	}
	return n.readNeighbours()
}
