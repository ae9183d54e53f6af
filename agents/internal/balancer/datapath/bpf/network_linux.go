package bpf

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"runtime"
	"slices"

	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netns"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
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
	narrow    map[netip.Addr]narrowed // paths of tunnels to backends
	probes    sizeProbes

	raw      *os.File // a socket for whole frames
	rawError error    // why there is none

	natFirst, natPorts uint16 // for translated flows, outside of the kernel's own range
}

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

func openNetwork(name string) (*network, error) {
	space, err := netns.Get()
	if err != nil {
		return nil, fmt.Errorf("find the network namespace: %w", err)
	}
	links, err := netlink.NewHandleAt(space, unix.NETLINK_ROUTE)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open netlink: %w", err), space.Close())
	}
	n := &network{space: space, links: links, name: name, neighbour: map[netip.Addr]neighbour{}, narrow: map[netip.Addr]narrowed{}, probes: sizeProbes{sent: map[netip.Addr][]sizeProbe{}}}
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

// portsFor reads which ports are left for translation, if a service needs some.
func (n *network) portsFor(services []datapath.Service) error {
	if !slices.ContainsFunc(services, func(s datapath.Service) bool { return s.Delivery == datapath.NAT }) {
		return nil
	}
	return n.within(n.readPorts)
}

// checkPorts rejects a service with NAT if no port is left for translation.
func (n *network) checkPorts(s *datapath.Service) error {
	if s.Delivery == datapath.NAT && n.natPorts == 0 {
		return fmt.Errorf("can't be translated, because net.ipv4.ip_local_port_range leaves no port for it: run `sysctl -w net.ipv4.ip_local_port_range=\"32768 60999\"`, or choose another delivery")
	}
	return nil
}

// readPorts takes the larger range beside the kernel's range for the replica's own
// connections.
func (n *network) readPorts() error {
	const path = "/proc/sys/net/ipv4/ip_local_port_range"
	text, err := os.ReadFile(path) // depends on the namespace of the reading thread
	var low, high uint16
	if err == nil {
		_, err = fmt.Sscan(string(text), &low, &high)
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	const first = 1024
	if low > first && low-first >= 65535-high {
		n.natFirst, n.natPorts = first, low-first
	} else {
		from := max(int(high)+1, first) // 65536 when none is left
		n.natFirst, n.natPorts = uint16(from), uint16(65536-from)
	}
	return nil
}

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

// within runs a function in the engine's namespace, from any thread.
func (n *network) within(run func() error) error { return Within(n.space, run) }

// Within runs a function in a network namespace, on a thread that ends with it. Never on
// the main thread, which would stay there.
func Within(space netns.NsHandle, run func() error) error {
	result := make(chan error)
	go func() {
		runtime.LockOSThread()
		if unix.Gettid() == unix.Getpid() {
			defer runtime.UnlockOSThread()
			result <- Within(space, run) // on another thread: this one is the main thread
			return
		}
		if err := unix.Setns(int(space), unix.CLONE_NEWNET); err != nil {
			result <- fmt.Errorf("enter the network namespace: %w", err)
			return
		}
		result <- run()
	}()
	return <-result
}
