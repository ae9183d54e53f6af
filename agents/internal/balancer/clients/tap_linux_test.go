package clients

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/privileged"
)

const iface = "eth0"

// network is a host with clients in two networks of each family, and a balancer.
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

// send ignores that nothing listens there, which a client is told at its next packet.
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

// readAll returns the packets that wait, but waits for so many: a busy processor may still have some
// in its queue.
func readAll(t *testing.T, tap Tap, want int) (all []Packet) {
	t.Helper()
	for deadline := time.Now().Add(time.Second); ; {
		for {
			packet, waits, err := tap.Read()
			must(t, err)
			if !waits {
				break
			}
			packet.Data = append([]byte(nil), packet.Data...)
			all = append(all, packet)
		}
		if len(all) >= want || time.Now().After(deadline) {
			return all
		}
	}
}

func TestATapReadsThePacketsOfClients(t *testing.T) {
	n := newTestNetwork(t)
	n.listen(t, dns)
	n.listen(t, dns6)
	tap := n.openTap(t, iface)
	for _, test := range []struct {
		name string
		from netip.Addr
		to   datapath.Key
		size int
		want []Packet // without data
		port uint16   // of the last
	}{
		{"IPv4", large.Addr(), dns, 100, []Packet{{Length: 14 + 20 + 8 + 100, Link: 14}}, 53},
		{"IPv6", large6.Addr(), dns6, 100, []Packet{{Length: 14 + 40 + 8 + 100, Link: 14}}, 53},
		{"the length isn't limited to what is read", large.Addr(), dns, 1400, []Packet{{Length: 14 + 20 + 8 + 1400, Link: 14}}, 53},
		{"fragments", large.Addr(), dns, 3000, []Packet{{Length: 1514, Link: 14}, {Length: 1514, Link: 14}, {Length: 14 + 20 + 3008 - 2*1480, Link: 14}}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			send(n.client(t, test.from, test.to), test.size)
			got := readAll(t, tap, len(test.want))
			if len(got) != len(test.want) {
				t.Fatalf("%d packets, want %d", len(got), len(test.want))
			}
			for i, packet := range got {
				h, is := parse(packet.Data)
				if !is || h.client != test.from || h.service.Address != test.to.Address {
					t.Errorf("headers %+v, %v", h, is)
				}
				if i == len(got)-1 && h.service.Port != test.port {
					t.Errorf("port %d, want %d", h.service.Port, test.port)
				}
				if packet.Data = nil; fmt.Sprint(packet) != fmt.Sprint(test.want[i]) {
					t.Errorf("got %+v, want %+v", packet, test.want[i])
				}
			}
		})
	}
}

func TestATapIgnoresWhatIsNoClientsPacket(t *testing.T) {
	n := newTestNetwork(t)
	n.listen(t, dns)
	tap := n.openTap(t, iface)
	packet := packet4(unix.IPPROTO_UDP, 0, 0, datagram())
	for name, do := range map[string]func(t *testing.T){
		"another address": func(t *testing.T) {
			send(n.client(t, large.Addr(), datapath.Key{Address: balancer4.Addr(), Port: 53, Protocol: datapath.UDP}), 100)
		},
		"another protocol": func(t *testing.T) {
			n.sendFrame(t, n.mac(t, n.clients), ethernetIPv4, packet4(unix.IPPROTO_ICMP, 0, 0, make([]byte, 8)))
		},
		"a frame of this host to itself": func(t *testing.T) { n.sendFrame(t, n.mac(t, n.balancer), ethernetIPv4, packet) },
		"a tagged frame": func(t *testing.T) {
			n.sendFrame(t, n.mac(t, n.clients), ethernetVLAN, append([]byte{0, 5, 0x08, 0x00}, packet...))
		},
	} {
		t.Run(name, func(t *testing.T) {
			do(t)
			send(n.client(t, small.Addr(), dns), 10)
			if got := readAll(t, tap, 1); len(got) != 1 || got[0].Length != 14+20+8+10 {
				t.Errorf("%d packets, want only that of a client", len(got))
			}
		})
	}
	t.Run("a frame like that of another host is a client's", func(t *testing.T) {
		n.sendFrame(t, n.mac(t, n.clients), ethernetIPv4, packet)
		if got := readAll(t, tap, 1); len(got) != 1 {
			t.Errorf("%d packets", len(got))
		}
	})
}

func (n *testNetwork) mac(t *testing.T, space *netspace.Space) net.HardwareAddr {
	t.Helper()
	link, err := space.Links().LinkByName(iface)
	must(t, err)
	return link.Attrs().HardwareAddr
}

const ethernetIPv4, ethernetVLAN = 0x0800, 0x8100

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

// What the kernel drops because its buffer is full is counted.
func TestDroppedPacketsAreCounted(t *testing.T) {
	n := newTestNetwork(t)
	n.listen(t, dns)
	tap := n.openTap(t, iface)
	const sent = 3000
	conn := n.client(t, large.Addr(), dns)
	for range sent {
		send(conn, 1000)
	}
	selected := 0
	for deadline := time.Now().Add(5 * time.Second); selected < sent && time.Now().Before(deadline); {
		more, err := tap.Selected()
		must(t, err)
		selected += more
	}
	must(t, tap.Pause())
	read := len(readAll(t, tap, 0))
	if selected != sent || read == 0 || read > sent/2 {
		t.Errorf("%d of %d packets were selected and %d read, want all and fewer than half", selected, sent, read)
	}
	send(conn, 1000)
	must(t, tap.Accept(1, []netip.Addr{service4}))
	send(conn, 10)
	if got := readAll(t, tap, 1); len(got) != 1 || got[0].Length != 14+20+8+10 {
		t.Errorf("%d packets, want only the one after the pause", len(got))
	}
}

// Segments that the host receives merged are counted one by one.
func TestBulkIsCountedInSegments(t *testing.T) {
	n := newTestNetwork(t)
	listener, err := n.balancer.Listen(t.Context(), "tcp", netip.AddrPortFrom(service4, 80).String())
	must(t, err)
	defer listener.Close()
	go func() {
		if conn, err := listener.Accept(); err == nil {
			_, _ = io.Copy(io.Discard, conn)
			_ = conn.Close()
		}
	}()
	tap := n.openTap(t, iface)
	conn, err := n.clients.Dial(t.Context(), "tcp", netip.AddrPortFrom(service4, 80).String())
	must(t, err)
	defer conn.Close()
	const chunk, chunks, payload = 16 << 10, 64, 1448.0 // of a full segment with timestamps
	var bytes, segments float64
	merged := 0
	count := func() {
		for _, packet := range readAll(t, tap, 1) {
			h, is := parse(packet.Data)
			if !is || h.service != web {
				t.Fatalf("headers %+v", h)
			}
			bytes += float64(packet.Length - packet.Link - h.size)
			segments += packet.segments(h)
			if packet.Merged > 0 {
				merged++
			}
		}
	}
	for range chunks { // each fits into the tap's buffer
		_, err := conn.Write(make([]byte, chunk))
		must(t, err)
		count()
	}
	for deadline := time.Now().Add(5 * time.Second); bytes < chunk*chunks && time.Now().Before(deadline); {
		count()
	}
	// Each chunk may end in a segment that isn't full; some only acknowledge.
	if least, most := chunk*chunks/payload, chunk*chunks/payload+3*chunks+10; bytes != chunk*chunks || segments < least || segments > most || merged == 0 {
		t.Errorf("%v bytes in %v segments, %d merged; want %d bytes in %.0f to %.0f", bytes, segments, merged, chunk*chunks, least, most)
	}
}

func TestATapNeedsItsInterface(t *testing.T) {
	n := newTestNetwork(t)
	if _, err := n.open("absent0"); err == nil || !strings.Contains(err.Error(), "find interface absent0") {
		t.Errorf("error %v", err)
	}
	tap := n.openTap(t, iface)
	must(t, n.balancer.Down(iface))
	if _, _, err := tap.Read(); err == nil || !strings.Contains(err.Error(), "read from eth0: network is down") {
		t.Errorf("with the interface down: error %v", err)
	}
}
