package signals

import (
	"context"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/mounttest"
	"fairlead.dev/agents/internal/netspace"
)

const (
	number   = 7 // of the service under test
	ourNode  = 1
	farNode  = 2
	port     = 8080
	patience = 10 * time.Second // for what the kernel does soon
)

var (
	server4, server6 = netip.MustParseAddr("10.77.0.1"), netip.MustParseAddr("fd77::1")
	client4, client6 = netip.MustParseAddr("10.77.0.2"), netip.MustParseAddr("fd77::2")
	far4, far6       = netip.MustParseAddr("10.77.9.3"), netip.MustParseAddr("fd77:0:9::3")
)

// place is a node with a server's and a client's namespace, and this process in its cgroup.
type place struct {
	testing.TB
	options        Options
	server, client *netspace.Space
	signals        *Signals
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// newPlace doesn't open the signals yet.
func newPlace(t testing.TB) *place {
	t.Helper()
	options := Options{Cgroup: mounttest.EnterCgroup(t), PinFolder: filepath.Join(mounttest.BPF(t), "role")}
	p := &place{TB: t, options: options}
	p.server, p.client = newSpace(t, "server"), newSpace(t, "client")
	must(t, netspace.Connect(
		netspace.End{Space: p.server, Interface: "eth0", Addresses: []netip.Prefix{netip.PrefixFrom(server4, 16), netip.PrefixFrom(server6, 32)}},
		netspace.End{Space: p.client, Interface: "eth0", Addresses: []netip.Prefix{
			netip.PrefixFrom(client4, 16), netip.PrefixFrom(client6, 32), netip.PrefixFrom(far4, 16), netip.PrefixFrom(far6, 32)}},
	))
	return p
}

func newSpace(t testing.TB, name string) *netspace.Space {
	t.Helper()
	space, err := netspace.New(fmt.Sprintf("signals-%d-%s", os.Getpid(), name))
	must(t, err)
	t.Cleanup(func() { must(t, space.Delete()) })
	return space
}

// open counts the service.
func (p *place) open() *place {
	p.Helper()
	var err error
	p.signals, err = Open(p.options)
	must(p, err)
	p.Cleanup(func() { must(p, p.signals.Remove()) })
	must(p, p.signals.Set(p.config(datapath.TCP)))
	return p
}

func (p *place) config(protocol datapath.Protocol) Config {
	return Config{
		Services: []Service{{
			Number: number, Cores: 2,
			Key:      datapath.Key{Address: netip.MustParseAddr("192.0.2.1"), Port: 80, Protocol: protocol},
			Backends: []netip.AddrPort{netip.AddrPortFrom(server4, port), netip.AddrPortFrom(server6, port)},
		}},
		Nodes: []Node{
			{Number: ourNode, Prefixes: []netip.Prefix{netip.MustParsePrefix("10.77.0.0/24"), netip.MustParsePrefix("fd77::/64")}},
			{Number: farNode, Prefixes: []netip.Prefix{netip.MustParsePrefix("10.77.9.0/24"), netip.MustParsePrefix("fd77:0:9::/48")}},
		},
	}
}

// serve answers each connection with a function, until the test ends.
func (p *place) serve(address netip.Addr, config net.ListenConfig, handle func(*net.TCPConn)) {
	p.Helper()
	var listener net.Listener
	must(p, p.server.Do(func() (err error) {
		listener, err = config.Listen(context.Background(), "tcp", netip.AddrPortFrom(address, port).String())
		return err
	}))
	p.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				handle(conn.(*net.TCPConn))
			}()
		}
	}()
}

// dial connects from an address of the client.
func (p *place) dial(from, to netip.Addr) *net.TCPConn {
	p.Helper()
	conn, err := p.tryDial(from, to)
	must(p, err)
	p.Cleanup(func() { _ = conn.Close() })
	must(p, conn.SetDeadline(time.Now().Add(2*patience)))
	return conn
}

func (p *place) tryDial(from, to netip.Addr) (conn *net.TCPConn, err error) {
	err = p.client.Do(func() error {
		dialer := net.Dialer{LocalAddr: net.TCPAddrFromAddrPort(netip.AddrPortFrom(from, 0)), Timeout: patience}
		dialled, err := dialer.Dial("tcp", netip.AddrPortFrom(to, port).String())
		if err == nil {
			conn = dialled.(*net.TCPConn)
		}
		return err
	})
	return conn, err
}

// counts stay valid, unlike those of Observe.
func (p *place) counts() ServiceCounts {
	p.Helper()
	all, err := p.signals.Observe()
	must(p, err)
	counts := all.Services[number]
	counts.Nodes = maps.Clone(counts.Nodes)
	return counts
}

// wait waits until the counts of a node are these, and all other nodes have none.
func (p *place) wait(node uint32, want Counts) {
	p.Helper()
	p.waitEach(map[uint32]Counts{node: want})
}

func (p *place) waitEach(want map[uint32]Counts) {
	p.Helper()
	var got ServiceCounts
	eventually(p, fmt.Sprintf("counts %+v", want), func() bool {
		got = p.counts()
		if len(got.Nodes) != len(want) {
			return false
		}
		for node, counts := range want {
			if got.Nodes[node] != counts {
				return false
			}
		}
		return p.shared() == int64(got.Total().InFlight)
	}, func() string { return fmt.Sprintf("got %+v, shared %d", got.Nodes, p.shared()) })
}

// shared is what those who choose a node read.
func (p *place) shared() (inFlight int64) {
	p.Helper()
	must(p, p.signals.maps["in_flight"].Lookup(uint32(number), &inFlight))
	return inFlight
}

func eventually(t testing.TB, what string, is func() bool, state ...func() string) {
	t.Helper()
	for end := time.Now().Add(patience); !is(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			for _, one := range state {
				t.Error(one())
			}
			t.Fatalf("waited %v for %s", patience, what)
		}
	}
}
