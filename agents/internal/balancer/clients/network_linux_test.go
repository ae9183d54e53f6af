package clients

import (
	"encoding/binary"
	"fmt"
	"net"
	"net/netip"
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/privileged"
)

const iface = "eth0"

// testNetwork is a host with clients in two networks of each family, and a balancer.
type testNetwork struct{ clients, balancer *netspace.Space }

var (
	large, small = netip.MustParsePrefix("203.0.113.77/24"), netip.MustParsePrefix("198.51.100.77/24")
	large6       = netip.MustParsePrefix("2001:db8:1::77/48")
	balancer4    = netip.MustParsePrefix("10.9.0.2/24")
	dns          = datapath.Key{Address: service4, Port: 53, Protocol: datapath.UDP}
	dns6         = datapath.Key{Address: service6, Port: 53, Protocol: datapath.UDP}
)

func newTestNetwork(t *testing.T) *testNetwork {
	t.Helper()
	privileged.Need(t)
	space := func(name string) *netspace.Space {
		space, err := netspace.New(fmt.Sprintf("fltest-%d-%s", os.Getpid(), name))
		must(t, err)
		t.Cleanup(func() { must(t, space.Delete()) })
		return space
	}
	n := &testNetwork{space("clients"), space("balancer")}
	via4, via6 := netip.MustParsePrefix("10.9.0.1/24"), netip.MustParsePrefix("fd09::1/64")
	must(t, netspace.Connect(
		netspace.End{Space: n.clients, Interface: iface, Addresses: []netip.Prefix{via4, via6, large, small, large6}},
		netspace.End{Space: n.balancer, Interface: iface, Addresses: []netip.Prefix{balancer4, netip.MustParsePrefix("fd09::2/64")}},
	))
	for _, service := range []struct {
		address netip.Addr
		via     string
	}{{service4, "10.9.0.2"}, {service6, "fd09::2"}} {
		prefix := netip.PrefixFrom(service.address, service.address.BitLen())
		must(t, n.balancer.AddLocal(prefix))
		must(t, n.clients.AddRoute(prefix, netip.MustParseAddr(service.via)))
	}
	for _, network := range []netip.Prefix{large.Masked(), small.Masked()} {
		must(t, n.balancer.AddRoute(network, via4.Addr()))
	}
	must(t, n.balancer.AddRoute(large6.Masked(), via6.Addr()))
	must(t, n.balancer.SetSysctl("net/ipv6/ip_nonlocal_bind", "1")) // a local prefix suffices only for IPv4
	return n
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (n *testNetwork) open(name string) (tap Tap, err error) {
	err = n.balancer.Do(func() (err error) {
		tap, err = Open(name)
		return err
	})
	return tap, err
}

// openTap opens a tap that reads all packets to these services.
func (n *testNetwork) openTap(t *testing.T, name string) Tap {
	t.Helper()
	tap, err := n.open(name)
	must(t, err)
	t.Cleanup(func() { _ = tap.Close() })
	must(t, tap.Accept(1, []netip.Addr{service4, service6}))
	return tap
}

// client returns a UDP socket of a client.
func (n *testNetwork) client(t *testing.T, from netip.Addr, to datapath.Key) net.Conn {
	t.Helper()
	var conn net.Conn
	must(t, n.clients.Do(func() (err error) {
		dialer := net.Dialer{LocalAddr: net.UDPAddrFromAddrPort(netip.AddrPortFrom(from, 0))}
		conn, err = dialer.DialContext(t.Context(), "udp", netip.AddrPortFrom(to.Address, to.Port).String())
		return err
	}))
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// send sends again after an error, which may be of an earlier datagram.
func send(conn net.Conn, size int) {
	if _, err := conn.Write(make([]byte, size)); err != nil {
		_, _ = conn.Write(make([]byte, size))
	}
}

// listen accepts datagrams of a service, and drops them.
func (n *testNetwork) listen(t *testing.T, to datapath.Key) {
	t.Helper()
	must(t, n.balancer.Do(func() error {
		conn, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.AddrPortFrom(to.Address, to.Port)))
		if err == nil {
			t.Cleanup(func() { _ = conn.Close() })
		}
		return err
	}))
}

func (n *testNetwork) mac(t *testing.T, space *netspace.Space) net.HardwareAddr {
	t.Helper()
	link, err := space.Links().LinkByName(iface)
	must(t, err)
	return link.Attrs().HardwareAddr
}

// sendFrame sends a packet to the balancer in a frame with this source.
func (n *testNetwork) sendFrame(t *testing.T, from net.HardwareAddr, kind uint16, packet []byte) {
	t.Helper()
	frame := append(append([]byte{}, n.mac(t, n.balancer)...), from...)
	frame = append(binary.BigEndian.AppendUint16(frame, kind), packet...)
	must(t, n.clients.Do(func() error {
		link, err := net.InterfaceByName(iface)
		if err != nil {
			return err
		}
		socket, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			return err
		}
		defer unix.Close(socket)
		return unix.Sendto(socket, frame, 0, &unix.SockaddrLinklayer{Ifindex: link.Index})
	}))
}
