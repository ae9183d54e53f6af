package bpf_test

import (
	"bytes"
	"crypto/sha256"
	"io"
	"math/rand/v2"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf"
	"fairlead.dev/agents/internal/netspace"
)

const (
	bigSize  = 524280   // the largest that the kernel accepts
	bigLeast = 500_000  // TCP fills a packet with whole segments, and leaves room for headers
	bulkSize = 32 << 20 // enough for TCP to reach the largest packets
	bulkMost = 30       // connections: one that lost packets, as on a busy host, sends smaller ones
)

var serviceAddress6 = netip.MustParseAddr("2001:db8::1")

func TestBulkOfBIGTCPArrivesWhole(t *testing.T) {
	for _, delivery := range []datapath.Delivery{datapath.Direct, datapath.NAT, datapath.Tunnel, datapath.GUE} {
		t.Run(string(delivery), func(t *testing.T) {
			spaces, services := layBig(t, delivery)
			for i, family := range []string{"IPv4", "IPv6"} {
				t.Run(family, func(t *testing.T) { carriesBig(t, spaces, services[i]) })
			}
		})
	}
}

// layBig creates a network for the largest packets, and carries a service of each family in
// it.
func layBig(t *testing.T, delivery datapath.Delivery) (map[string]*netspace.Space, []datapath.Service) {
	t.Helper()
	spaces := lay(t)
	for _, name := range []string{"lb", "client", "a"} {
		enlarge(t, spaces[name], "eth0")
		enlarge(t, spaces["lan"], name)
		if name == "lb" && delivery.Wraps() {
			splitAt(t, spaces[name], 1<<16) // required: see Engine.tooLong
		}
		must(t, spaces[name].SetSysctls(map[string]string{
			"net/ipv6/ip_nonlocal_bind": "1",
			"net/ipv4/tcp_wmem":         "4096 4194304 8388608", "net/ipv4/tcp_rmem": "4096 4194304 8388608",
			// Packets don't become smaller when they are acknowledged late, or when an earlier connection lost some.
			"net/ipv4/tcp_tso_rtt_log": "31", "net/ipv4/tcp_congestion_control": "reno", "net/ipv4/tcp_no_metrics_save": "1",
		}))
	}
	must(t, spaces["client"].AddRoute(netip.PrefixFrom(serviceAddress6, 128), address6(1)))
	if delivery.Wraps() {
		must(t, spaces["a"].Do(func() error {
			decap, err := bpf.OpenDecap("eth0", []netip.Prefix{netip.PrefixFrom(address(1), 32), netip.PrefixFrom(address6(1), 128)})
			if err == nil {
				t.Cleanup(func() { _ = decap.Close() })
			}
			return err
		}))
	}
	var services []datapath.Service
	for _, to := range []struct{ service, backend netip.Addr }{{serviceAddress, address(11)}, {serviceAddress6, address6(11)}} {
		services = append(services, datapath.Service{
			Key: datapath.Key{Address: to.service, Port: 80, Protocol: datapath.TCP}, Delivery: delivery,
			Backends: []datapath.Backend{{ID: "a", Address: to.backend, Port: 80, Weight: 1, State: datapath.Active, Up: true}},
		})
	}
	var engine *bpf.Engine
	must(t, spaces["lb"].Do(func() (err error) {
		engine, err = bpf.Open(bpf.TCX, datapath.Options{Interface: "eth0", Name: spaces["lb"].Name, StateFolder: stateFolder})
		return err
	}))
	t.Cleanup(func() { _ = engine.Remove() })
	_, err := engine.Set(t.Context(), services)
	must(t, err)
	return spaces, services
}

func carriesBig(t *testing.T, spaces map[string]*netspace.Space, service datapath.Service) {
	at := service.Key.Address
	if service.Delivery == datapath.NAT {
		at = service.Backends[0].Address
	} else {
		must(t, spaces["a"].AddLocal(netip.PrefixFrom(at, at.BitLen())))
	}
	listener, err := spaces["a"].Listen(t.Context(), "tcp", netip.AddrPortFrom(at, 80).String())
	must(t, err)
	defer listener.Close()
	largest := watchLargest(t, spaces["lb"])
	for sent := 0; sent < bulkMost && largest.Load() < bigLeast; sent++ {
		sendBulk(t, spaces["client"], service.Key, listener)
	}
	t.Logf("largest packet: %d bytes", largest.Load())
	if largest.Load() < bigLeast {
		t.Errorf("the largest packet at the balancer had %d bytes, want %d at least", largest.Load(), bigLeast)
	}
}

// sendBulk sends it over a connection of its own, and compares what arrives.
func sendBulk(t *testing.T, client *netspace.Space, to datapath.Key, listener net.Listener) {
	t.Helper()
	received := make(chan [sha256.Size]byte, 1)
	go func() {
		defer close(received)
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		sum := sha256.New()
		if _, err := io.CopyBuffer(sum, conn, make([]byte, 1<<20)); err == nil {
			received <- [sha256.Size]byte(sum.Sum(nil))
		}
	}()
	block := make([]byte, 1<<20)
	for i := range block {
		block[i] = byte(rand.Uint32())
	}
	conn, err := client.Dial(t.Context(), "tcp", netip.AddrPortFrom(to.Address, to.Port).String())
	must(t, err)
	defer conn.Close()
	sum := sha256.New()
	for range bulkSize / len(block) {
		_, err := io.Copy(io.MultiWriter(sum, conn), bytes.NewReader(block))
		must(t, err)
	}
	must(t, conn.(interface{ CloseWrite() error }).CloseWrite())
	if got, want := <-received, [sha256.Size]byte(sum.Sum(nil)); got != want {
		t.Fatalf("the server received %x, want %x", got, want)
	}
}

// enlarge lets an interface send and receive the largest packets that the kernel supports.
func enlarge(t *testing.T, space *netspace.Space, name string) {
	t.Helper()
	links := space.Links()
	link, err := links.LinkByName(name)
	must(t, err)
	for _, set := range []func(netlink.Link, int) error{links.LinkSetGSOMaxSize, links.LinkSetGROMaxSize, links.LinkSetGSOIPv4MaxSize, links.LinkSetGROIPv4MaxSize} {
		must(t, set(link, bigSize))
	}
}

// splitAt makes the kernel split longer packets before an interface sends them.
func splitAt(t *testing.T, space *netspace.Space, size int) {
	t.Helper()
	link, err := space.Links().LinkByName("eth0")
	must(t, err)
	must(t, space.Links().LinkSetGSOMaxSize(link, size))
	must(t, space.Links().LinkSetGSOIPv4MaxSize(link, size))
}

// watchLargest follows the size of the largest packet that arrives.
func watchLargest(t *testing.T, space *netspace.Space) *atomic.Int64 {
	t.Helper()
	var largest atomic.Int64
	var fd int
	must(t, space.Do(func() (err error) {
		all := uint16(unix.ETH_P_ALL<<8 | unix.ETH_P_ALL>>8)
		fd, err = unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, int(all))
		return err
	}))
	must(t, unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Usec: 100_000}))
	stop, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-stop:
				return
			default:
			}
			size, _, err := unix.Recvfrom(fd, make([]byte, 64), unix.MSG_TRUNC)
			if err == nil {
				largest.Store(max(largest.Load(), int64(size)))
			}
		}
	}()
	t.Cleanup(func() {
		close(stop)
		<-ended
		_ = unix.Close(fd)
	})
	return &largest
}

func address6(host int) netip.Addr {
	return netip.AddrFrom16([16]byte{0xfd, 0x09, 15: byte(host)})
}

func TestAnInterfaceThatSendsTooLongPacketsOfTunnelsIsReported(t *testing.T) {
	spaces := lay(t)
	var engine *bpf.Engine
	must(t, spaces["lb"].Do(func() (err error) {
		engine, err = bpf.Open(bpf.TCX, datapath.Options{Interface: "eth0", Name: spaces["lb"].Name, StateFolder: stateFolder})
		return err
	}))
	t.Cleanup(func() { _ = engine.Remove() })
	for _, c := range []struct {
		delivery datapath.Delivery
		size     int
		warned   bool
	}{{datapath.GUE, 1 << 16, false}, {datapath.GUE, bigSize, true}, {datapath.Direct, bigSize, false}} {
		splitAt(t, spaces["lb"], c.size)
		_, err := engine.Set(t.Context(), []datapath.Service{{
			Key: datapath.Key{Address: serviceAddress, Port: 80, Protocol: datapath.TCP}, Delivery: c.delivery,
			Backends: []datapath.Backend{{ID: "a", Address: address(11), Port: 80, Weight: 1, State: datapath.Active, Up: true}},
		}})
		must(t, err)
		observed, err := engine.Observe(t.Context())
		must(t, err)
		warned := slices.ContainsFunc(observed.Warnings, func(text string) bool {
			return strings.Contains(text, "ip link set eth0 gso_max_size 65536")
		})
		if warned != c.warned {
			t.Errorf("%s with %d bytes: warnings %q", c.delivery, c.size, observed.Warnings)
		}
	}
}
