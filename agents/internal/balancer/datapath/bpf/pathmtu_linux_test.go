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
	"fairlead.dev/agents/internal/balancer/datapath/bpf/pathmtu"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/netspace"
)

// wireEnd is the other end of a place's interface: it sees probes, and sends messages.
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
		f.payload = append([]byte{3, 4, 0, 0, 0, 0, 0, 0}, packet[:28]...)
		binary.BigEndian.PutUint16(f.payload[6:], mtu)
		binary.BigEndian.PutUint16(f.payload[2:], ^sum16(f.payload))
	} else {
		f.source, f.dest, f.protocol = client6, ourIPv6, 58
		f.payload = append([]byte{2, 0, 0, 0, 0, 0, 0, 0}, packet[:1000]...)
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
				for _, b := range e.model.Slots {
					if program.FromAddress(b.Entry.Address) == c.backend {
						return b.Entry.Mtu
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
			spoofed := pathmtu.New().Probe(pathmtu.Report{From: from, To: c.backend}, program.Deliveries[c.delivery], 0xc123, 1500, time.Now())
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
		return 20
	}
	return 40
}

func TestAPathMTUIsUsedForAWhile(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	tunnel := newService(service4, 80, datapath.TCP, datapath.Tunnel)
	set(t, e, tunnel, newService(service4.Next(), 80, datapath.TCP, datapath.Direct))
	widths := func(delivery program.TcxDelivery) (of [2]uint16) {
		for slot, b := range e.model.Slots {
			var entry program.BackendEntry
			must(t, e.maps[program.TcxMapBackends].Lookup(uint32(slot), &entry))
			for i, address := range backends4 {
				if entry.Delivery == uint8(delivery) && program.FromAddress(b.Entry.Address) == address {
					of[i] = entry.Mtu
				}
			}
		}
		return of
	}
	expect := func(when string, want ...uint16) {
		t.Helper()
		if got := widths(program.TcxDeliveryTUNNEL); got != [2]uint16(want) {
			t.Errorf("%s: the ways carry %v, want %v", when, got, want)
		}
		if got := widths(program.TcxDeliveryDIRECT); got != [2]uint16{1500, 1500} {
			t.Errorf("%s: what isn't in a tunnel carries %v", when, got)
		}
	}
	expect("at first", 1500, 1500)
	e.narrowed(pathmtu.Report{From: backends4[1], To: backends4[0], MTU: 1000})
	expect("after a message about another host's packet", 1500, 1500)
	e.narrowed(pathmtu.Report{From: ourIPv4, To: backends4[0], MTU: 1400})
	expect("after a message", 1400, 1500)
	e.narrowed(pathmtu.Report{From: ourIPv4, To: backends4[0], MTU: 1450})
	expect("after a message with a larger size", 1400, 1500)
	tunnel.Backends[1].Weight = 7
	set(t, e, tunnel, newService(service4.Next(), 80, datapath.TCP, datapath.Direct))
	expect("after a change", 1400, 1500)
	e.sizes.Keep(pathmtu.Report{To: backends4[0], MTU: 1400}, time.Now().Add(-pathmtu.UsedFor))
	_, err := e.Observe(t.Context())
	must(t, err)
	expect("after a while", 1500, 1500)
}
