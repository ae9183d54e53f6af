package clients

import (
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
)

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
			n.sendFrame(t, n.mac(t, n.clients), unix.ETH_P_IP, packet4(unix.IPPROTO_ICMP, 0, 0, make([]byte, 8)))
		},
		"a frame of this host to itself": func(t *testing.T) { n.sendFrame(t, n.mac(t, n.balancer), unix.ETH_P_IP, packet) },
		"a tagged frame": func(t *testing.T) {
			n.sendFrame(t, n.mac(t, n.clients), unix.ETH_P_8021Q, append([]byte{0, 5, 0x08, 0x00}, packet...))
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
		n.sendFrame(t, n.mac(t, n.clients), unix.ETH_P_IP, packet)
		if got := readAll(t, tap, 1); len(got) != 1 {
			t.Errorf("%d packets", len(got))
		}
	})
}

// The filter's jumps reach over as many addresses as there can be.
func TestATapSelectsByAddress(t *testing.T) {
	n := newTestNetwork(t)
	to4 := func(number byte) netip.Addr { return netip.AddrFrom4([4]byte{192, 0, 2, number}) }
	to6 := func(number byte) netip.Addr {
		address := service6.As16()
		address[15] = number
		return netip.AddrFrom16(address)
	}
	for _, family := range []struct {
		name   string
		kind   uint16
		to     func(number byte) netip.Addr
		packet []byte
		at     int // of the destination
	}{
		{"IPv4", unix.ETH_P_IP, to4, packet4(unix.IPPROTO_UDP, 0, 0, datagram()), 16},
		{"IPv6", unix.ETH_P_IPV6, to6, packet6(unix.IPPROTO_UDP, nil, datagram()), 24},
	} {
		t.Run(family.name, func(t *testing.T) {
			var addresses []netip.Addr
			for number := range byte(servicesMost) {
				addresses = append(addresses, family.to(1+number))
			}
			tap := n.openTap(t, iface)
			must(t, tap.Accept(1, addresses))
			for _, number := range []byte{0, 1, 50, servicesMost, servicesMost + 1} {
				copy(family.packet[family.at:], family.to(number).AsSlice())
				n.sendFrame(t, n.mac(t, n.clients), family.kind, family.packet)
			}
			var got []netip.Addr
			for _, packet := range readAll(t, tap, 3) {
				h, _ := parse(packet.Data)
				got = append(got, h.service.Address)
			}
			if want := []netip.Addr{family.to(1), family.to(50), family.to(servicesMost)}; !slices.Equal(got, want) {
				t.Errorf("packets to %v, want %v", got, want)
			}
		})
	}
}

// Such an interface has no link addresses.
func TestATapReadsTheLoopback(t *testing.T) {
	n := newTestNetwork(t)
	n.listen(t, dns)
	tap := n.openTap(t, "lo")
	conn, err := n.balancer.Dial(t.Context(), "udp", netip.AddrPortFrom(dns.Address, dns.Port).String())
	must(t, err)
	defer conn.Close()
	send(conn, 100)
	got := readAll(t, tap, 1)
	if len(got) != 1 || got[0].Length != 14+20+8+100 {
		t.Fatalf("got %+v", got)
	}
	if h, is := parse(got[0].Data); !is || h.service != dns {
		t.Errorf("headers %+v", h)
	}
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

func TestATapNeedsItsPrivilege(t *testing.T) {
	n := newTestNetwork(t)
	err := n.balancer.Do(func() error { // on a thread that ends with it
		header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
		var none [2]unix.CapUserData
		if err := unix.Capset(&header, &none[0]); err != nil {
			return err
		}
		_, err := Open(iface)
		return err
	})
	if got := sentence(err); !strings.Contains(got, "CAP_NET_RAW") {
		t.Errorf("%v is reported as %q", err, got)
	}
}
