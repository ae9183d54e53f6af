package delivery

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"time"

	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netlink/nl"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/health"
	"fairlead.dev/agents/internal/rawip"
)

const (
	protocolIPIP, protocolIPv6 = 4, 41

	guePort  = 6080
	gueFlows = 0xc000 // first of the source ports, as those of the data path

	neighbourAgain = 20 * time.Millisecond // pause between look-ups of an unknown link address
)

// senders are the sockets that send.
type senders struct {
	links  *netlink.Handle
	lookup map[int]*nl.SocketHandle // for neighbours
	frames int                      // AF_PACKET: the kernel adds the Ethernet header
	packet [2]int                   // raw IP, for the outer header of a tunnel
}

func (s *senders) open() (err error) {
	s.frames, s.packet = -1, [2]int{-1, -1}
	if s.links, err = netlink.NewHandle(unix.NETLINK_ROUTE); err != nil {
		return fmt.Errorf("open netlink: %w", err)
	}
	socket, err := nl.Subscribe(unix.NETLINK_ROUTE)
	if err != nil {
		return fmt.Errorf("open netlink: %w", err)
	}
	s.lookup = map[int]*nl.SocketHandle{unix.NETLINK_ROUTE: {Socket: socket}}
	if s.frames, err = unix.Socket(unix.AF_PACKET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0); err != nil {
		return fmt.Errorf("open a packet socket: %w", err)
	}
	if s.packet[0], err = unix.Socket(unix.AF_INET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.IPPROTO_RAW); err != nil {
		return fmt.Errorf("open a raw socket: %w", err)
	}
	s.packet[1], err = unix.Socket(unix.AF_INET6, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.IPPROTO_RAW)
	if err != nil && !errors.Is(err, unix.EAFNOSUPPORT) { // a host without IPv6 has no such backends
		return fmt.Errorf("open a raw socket: %w", err)
	}
	return nil
}

func (s *senders) close() error {
	if s.links == nil {
		return nil
	}
	s.links.Close()
	for _, socket := range s.lookup {
		socket.Close()
	}
	for _, socket := range []int{s.frames, s.packet[0], s.packet[1]} {
		if socket >= 0 {
			_ = unix.Close(socket)
		}
	}
	return nil
}

// way returns what sends a packet to a backend as the delivery does. It is nil for a backend that
// the delivery can't reach: the data path reports that.
func (s *senders) way(ctx context.Context, target health.Target, own netip.Addr) (func(packet []byte) error, error) {
	if target.Path.Delivery.Wraps() {
		return func(packet []byte) error { return s.tunnel(target, own, packet) }, nil
	}
	routes, err := s.links.RouteGet(target.Address.AsSlice())
	if err != nil || len(routes) == 0 || routes[0].Type == unix.RTN_LOCAL {
		return nil, nil
	}
	if router, ok := netip.AddrFromSlice(routes[0].Gw); ok && !router.IsUnspecified() {
		return nil, nil
	}
	link := routes[0].LinkIndex
	hardware, err := s.neighbour(ctx, link, target.Address)
	if err != nil {
		return nil, err
	}
	to := &unix.SockaddrLinklayer{Ifindex: link, Protocol: inNetworkOrder(unix.ETH_P_IPV6), Halen: uint8(len(hardware))}
	if target.Address.Is4() {
		to.Protocol = inNetworkOrder(unix.ETH_P_IP)
	}
	copy(to.Addr[:], hardware)
	return func(packet []byte) error { return sent(unix.Sendto(s.frames, packet, unix.MSG_DONTWAIT, to)) }, nil
}

// neighbour returns a backend's link address. The check of the backend's own address makes the
// kernel resolve it.
func (s *senders) neighbour(ctx context.Context, link int, of netip.Addr) (net.HardwareAddr, error) {
	for {
		hardware, err := s.neighbourNow(link, of)
		if err != nil && !errors.Is(err, unix.ENOENT) {
			return nil, cannotProbe{fmt.Errorf("look up the link address of %s: %w", of, err)}
		}
		if hardware != nil {
			return hardware, nil
		}
		select {
		case <-ctx.Done():
			return nil, errors.New("has no known link address")
		case <-time.After(neighbourAgain):
		}
	}
}

func (s *senders) neighbourNow(link int, of netip.Addr) (net.HardwareAddr, error) {
	message := netlink.Ndmsg{Family: unix.AF_INET6, Index: uint32(link)}
	if of.Is4() {
		message.Family = unix.AF_INET
	}
	request := nl.NewNetlinkRequest(unix.RTM_GETNEIGH, 0)
	request.Sockets = s.lookup
	request.AddData(&message)
	request.AddData(nl.NewRtAttr(unix.NDA_DST, of.AsSlice()))
	found, err := request.Execute(unix.NETLINK_ROUTE, unix.RTM_NEWNEIGH)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	neighbour, err := netlink.NeighDeserialize(found[0])
	if err != nil || neighbour.State&(unix.NUD_FAILED|unix.NUD_INCOMPLETE) != 0 || len(neighbour.HardwareAddr) == 0 {
		return nil, err
	}
	return neighbour.HardwareAddr, nil
}

// tunnel sends a packet in an outer header, for which the kernel has a route.
func (s *senders) tunnel(target health.Target, own netip.Addr, packet []byte) error {
	protocol, v4 := byte(protocolIPv6), own.Is4()
	if v4 {
		protocol = protocolIPIP
	}
	if target.Path.Delivery == datapath.GUE {
		packet, protocol = gue(packet), rawip.UDP
	}
	packet = rawip.Wrap(own, target.Address, protocol, packet)
	if v4 {
		return sent(unix.Sendto(s.packet[0], packet, unix.MSG_DONTWAIT, &unix.SockaddrInet4{Addr: target.Address.As4()}))
	}
	return sent(unix.Sendto(s.packet[1], packet, unix.MSG_DONTWAIT, &unix.SockaddrInet6{Addr: target.Address.As16()}))
}

// gue adds a UDP header without a checksum, as the data path does.
func gue(packet []byte) []byte {
	header := binary.BigEndian.AppendUint16(make([]byte, 0, 8+len(packet)), gueFlows)
	header = binary.BigEndian.AppendUint16(header, guePort)
	header = binary.BigEndian.AppendUint16(header, uint16(8+len(packet)))
	return append(append(header, 0, 0), packet...)
}

// sent returns the error of a sending. One for lack of buffers is as the loss of the packet, and
// one for lack of a route is the data path's to report.
func sent(err error) error {
	switch {
	case err == nil, errors.Is(err, unix.EAGAIN), errors.Is(err, unix.ENOBUFS), errors.Is(err, unix.ENETUNREACH), errors.Is(err, unix.EHOSTUNREACH):
		return nil
	}
	return cannotProbe{fmt.Errorf("send a packet: %w", err)}
}

func inNetworkOrder(value uint16) uint16 { return value<<8 | value>>8 }
