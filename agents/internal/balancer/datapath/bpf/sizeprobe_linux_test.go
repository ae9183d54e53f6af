package bpf

import (
	"bytes"
	"encoding/binary"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/netspace"
)

// wire is the other end of a place's interface: it sees probes, and sends messages.
type wireEnd struct {
	t     *testing.T
	fd    int
	index int
}

func openWire(t *testing.T, place *netspace.Space) *wireEnd {
	t.Helper()
	lan, err := netspace.Open(strings.TrimSuffix(place.Name, "lb") + "lan")
	must(t, err)
	defer lan.Close()
	w := &wireEnd{t: t}
	must(t, lan.Do(func() (err error) {
		eth0, err := netlink.LinkByName("eth0")
		if err != nil {
			return err
		}
		w.index = eth0.Attrs().Index
		w.fd, err = unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, int(uint16(unix.ETH_P_ALL<<8)))
		return err
	}))
	t.Cleanup(func() { _ = unix.Close(w.fd) })
	must(t, unix.SetsockoptTimeval(w.fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Usec: 50_000}))
	return w
}

// reject sends a message to the replica about a packet that is too big, of which it quotes
// the start.
func (w *wireEnd) reject(packet []byte, mtu uint16) {
	w.t.Helper()
	f := frame{to: ours, from: router}
	if packet[0]>>4 == 4 {
		f.source, f.dest, f.protocol = client4, ourIPv4, 1
		f.payload = append([]byte{icmpUnreachable, icmpTooBig, 0, 0, 0, 0, 0, 0}, packet[:28]...)
		binary.BigEndian.PutUint16(f.payload[6:], mtu)
		binary.BigEndian.PutUint16(f.payload[2:], ^sum16(f.payload))
	} else {
		f.source, f.dest, f.protocol = client6, ourIPv6, 58
		f.payload = append([]byte{icmp6TooBig, 0, 0, 0, 0, 0, 0, 0}, packet[:1000]...)
		binary.BigEndian.PutUint32(f.payload[4:], uint32(mtu))
		binary.BigEndian.PutUint16(f.payload[2:], checksum4(58, client6, ourIPv6, f.payload))
	}
	must(w.t, unix.Sendto(w.fd, f.bytes(), 0, &unix.SockaddrLinklayer{Ifindex: w.index}))
}

// probe returns the next packet of a size to an address; nil if there is none for a while.
func (w *wireEnd) probe(to netip.Addr, size int) []byte {
	w.t.Helper()
	buffer := make([]byte, 4096)
	for deadline := time.Now().Add(500 * time.Millisecond); time.Now().Before(deadline); {
		n, _, err := unix.Recvfrom(w.fd, buffer, 0)
		if err == nil && n == size+14 && bytes.Contains(buffer[14:54], to.AsSlice()) {
			return buffer[14:n]
		}
	}
	return nil
}

func TestOnlyARouterThatRejectsAProbeNarrowsAPath(t *testing.T) {
	for _, c := range []struct {
		name     string
		delivery datapath.Delivery
		service  netip.Addr
		backend  netip.Addr
	}{
		{"IPIP", datapath.Tunnel, service4, backends4[0]},
		{"IPv6 in IPv6", datapath.Tunnel, service6, backends6[0]},
		{"GUE", datapath.GUE, service4, backends4[0]},
		{"GUE by IPv6", datapath.GUE, service6, backends6[0]},
	} {
		t.Run(c.name, func(t *testing.T) {
			place := newPlace(t)
			must(t, place.AddRoute(netip.MustParsePrefix("198.51.100.0/24"), netip.MustParseAddr("10.9.0.254"))) // or the kernel drops messages from there
			e := openAt(t, place, TCX, datapath.Options{})
			set(t, e, newService(c.service, 80, datapath.TCP, c.delivery, only("a")))
			width := func() uint16 {
				e.mutex.Lock()
				defer e.mutex.Unlock()
				for _, b := range e.model.slots {
					if fromAddress(b.entry.Address) == c.backend {
						return b.entry.Mtu
					}
				}
				return 0
			}
			wire := openWire(t, place)
			from := ourIPv4
			if c.backend.Is6() {
				from = ourIPv6
			}
			// An attacker knows everything but the content of a probe.
			spoofed := newSizeProbe(from, c.backend, e.model.anyDelivery(), 0xc123, 1500)
			wire.reject(spoofed, 1300)
			probe := wire.probe(c.backend, 1500)
			if got := width(); probe == nil || got != 1500 {
				t.Fatalf("after a spoofed message the path carries %d and there is a probe: %t", got, probe != nil)
			}
			if c.delivery == datapath.GUE && binary.BigEndian.Uint16(probe[len(probe)-(1500-headerOf(c.backend)):]) != 0xc123 {
				t.Errorf("the probe has another source port than the rejected packet: %x", probe[:48])
			}
			for range 20 {
				wire.reject(spoofed, 1300)
			}
			if again := wire.probe(c.backend, 1500); again != nil {
				t.Error("a second probe was sent at once")
			}
			if got := width(); got != 1500 {
				t.Fatalf("a spoofed message reduced the path to %d", got)
			}
			probe[8-headerOf(c.backend)/40]-- // a router on the path reduced the hop limit
			wire.reject(probe, 1400)
			for deadline := time.Now().Add(5 * time.Second); width() != 1400; time.Sleep(time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatalf("a router's message about the probe left the path at %d", width())
				}
			}
			wire.reject(probe, 1290)
			wire.probe(c.backend, 1400)
			if got := width(); got != 1400 {
				t.Errorf("a probe counted twice: the path was reduced to %d", got)
			}
		})
	}
}

func headerOf(address netip.Addr) int {
	if address.Is4() {
		return headerIPv4
	}
	return headerIPv6
}

// anyDelivery is that of a backend.
func (m *model) anyDelivery() TcxDelivery {
	for _, b := range m.slots {
		return TcxDelivery(b.entry.Delivery)
	}
	return 0
}

func TestAConfirmationQuotesRandomContent(t *testing.T) {
	now := time.Now()
	for _, c := range []struct {
		from, to netip.Addr
		delivery TcxDelivery
		least    int
	}{
		{ourIPv4, backends4[0], TcxDeliveryTUNNEL, headerIPv4 + 8},
		{ourIPv4, backends4[0], TcxDeliveryGUE, headerIPv4 + 8},
		{ourIPv6, backends6[0], TcxDeliveryTUNNEL, 2*headerIPv6 + 8},
		{ourIPv6, backends6[0], TcxDeliveryGUE, 2*headerIPv6 + headerUDP + 8},
	} {
		packet := newSizeProbe(c.from, c.to, c.delivery, gueFlows, 1500)
		s := sizeProbes{sent: map[netip.Addr][]sizeProbe{c.to: {{packet, gueFlows, now}}}}
		quote := func(size int) narrow {
			return narrow{from: c.from, to: c.to, mtu: 1400, quoted: packet[:size], layer4: packet[headerOf(c.to):size]}
		}
		if s.confirms(quote(c.least-1), now) || !s.confirms(quote(c.least), now) {
			t.Errorf("%s by delivery %d is not confirmed by exactly %d bytes", c.to, c.delivery, c.least)
		}
		if s.confirms(quote(c.least), now.Add(probeFor+1)) {
			t.Errorf("%s: an old probe counts", c.to)
		}
	}
}

func TestProbesOfOtherPortsHideNoPath(t *testing.T) {
	now, to := time.Now(), backends4[0]
	s := sizeProbes{sent: map[netip.Addr][]sizeProbe{}}
	sent := 0
	for port := uint16(gueFlows); port < gueFlows+2*probesMost; port++ {
		if s.allows(to, port, now) {
			s.sent[to] = append(s.sent[to], sizeProbe{newSizeProbe(ourIPv4, to, TcxDeliveryGUE, port, 600), port, now})
			sent++
		}
		if s.allows(to, port, now) {
			t.Fatalf("port %d may be probed twice at once", port)
		}
	}
	if sent != probesMost {
		t.Errorf("%d probes", sent)
	}
	if later := now.Add(probeFor + 1); !s.allows(to, gueFlows, later) || len(s.sent) != 0 {
		t.Errorf("%d probes are left after their time", len(s.sent))
	}
}

func TestReportsAreLimited(t *testing.T) {
	var s sizeProbes
	now := time.Now()
	counted := 0
	for range 2 * reportsMost {
		if s.counts(now) {
			counted++
		}
	}
	if counted != reportsMost || !s.counts(now.Add(time.Second)) {
		t.Errorf("%d messages counted", counted)
	}
}
