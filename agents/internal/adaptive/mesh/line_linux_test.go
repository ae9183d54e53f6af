package mesh

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fairlead.dev/agents/internal/adaptive/policy"
	"fairlead.dev/agents/internal/endpoint"
	"fairlead.dev/agents/internal/lab/wire"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/privileged"
)

const port = 7446

// host is a node in a network namespace, whose address can change.
type host struct {
	*Mesh
	space *netspace.Space
	mu    sync.Mutex
	at    netip.Addr
}

func (h *host) moveTo(t *testing.T, at netip.Prefix) {
	t.Helper()
	if err := h.space.AddAddress("eth0", at); err != nil {
		t.Fatal(err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.at = at.Addr()
}

func (h *host) listen(context.Context) (netip.AddrPort, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return netip.AddrPortFrom(h.at, port), nil
}

func newSpace(t *testing.T, name string) *netspace.Space {
	t.Helper()
	space, err := netspace.New(fmt.Sprintf("flmesh-%d-%s", os.Getpid(), name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := space.Delete(); err != nil {
			t.Error(err)
		}
	})
	return space
}

// newHosts lays near ═ line ═ far.
func newHosts(t *testing.T, near, far netip.Prefix) (*wire.Line, *host, *host) {
	t.Helper()
	privileged.Need(t)
	wires := newSpace(t, "wires")
	hosts := make([]*host, 0, 2)
	for name, at := range map[string]netip.Prefix{"near": near, "far": far} {
		h := &host{space: newSpace(t, name), at: at.Addr()}
		err := netspace.Connect(
			netspace.End{Space: h.space, Interface: "eth0", Addresses: []netip.Prefix{at}}, netspace.End{Space: wires, Interface: name},
		)
		if err != nil {
			t.Fatal(err)
		}
		h.Mesh = newTestMesh(t, netip.AddrPort{})
		h.Mesh.at.Current, h.Mesh.at.Retry = h.listen, 10*time.Millisecond
		h.Mesh.at.Open = func(at netip.AddrPort) (conn *net.UDPConn, err error) {
			err = h.space.Do(func() (err error) {
				conn, err = endpoint.Open(at)
				return err
			})
			return conn, err
		}
		hosts = append(hosts, h)
	}
	if hosts[0].at != near.Addr() {
		hosts[0], hosts[1] = hosts[1], hosts[0]
	}
	line, err := wire.Open(wires, "near", "far")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := line.Close(); err != nil {
			t.Error(err)
		}
	})
	return line, hosts[0], hosts[1]
}

func connect(t *testing.T, near, far *host) {
	t.Helper()
	for _, each := range []struct {
		self     *host
		id, peer string
		at       netip.Addr
	}{{near, "near", "far", far.at}, {far, "far", "near", near.at}} {
		mustSet(t, each.self.Mesh, Spec{
			Self: each.id, Keys: keys, Services: servicesOf(100), Peers: []Peer{{each.peer, netip.AddrPortFrom(each.at, port)}},
		})
	}
}

// Of 60 datagrams in 3 s, some arrive.
func TestFiguresCrossALongAndLossyLine(t *testing.T) {
	for family, ends := range map[string][2]string{"IPv4": {"10.9.0.1/24", "10.9.0.2/24"}, "IPv6": {"2001:db8::1/64", "2001:db8::2/64"}} {
		t.Run(family, func(t *testing.T) {
			line, near, far := newHosts(t, netip.MustParsePrefix(ends[0]), netip.MustParsePrefix(ends[1]))
			const delay = 40 * time.Millisecond
			line.Set(delay, 0.3)
			connect(t, near, far)
			wait(t, "figures of all services", func() bool { return len(near.Latest(nil, "far")) == 100 && len(far.Latest(nil, "near")) == 100 })
			for until := time.Now().Add(3 * time.Second); time.Now().Before(until); time.Sleep(10 * time.Millisecond) {
				got := near.Latest(nil, "far")
				if len(got) < 100 {
					t.Fatalf("figures of only %d services", len(got))
				}
				for _, one := range got {
					if one.Age < delay {
						t.Fatalf("%s is %s old, although the line takes %s", one.Service, one.Age, delay)
					}
				}
			}
			line.Set(delay, 1)
			wait(t, "old figures are dropped", func() bool { return near.Latest(nil, "far") == nil })
			line.Set(delay, 0)
			wait(t, "figures again", func() bool { return len(near.Latest(nil, "far")) == 100 && len(far.Latest(nil, "near")) == 100 })
		})
	}
}

func TestANodeMayChangeItsAddress(t *testing.T) {
	_, near, far := newHosts(t, netip.MustParsePrefix("10.9.0.1/24"), netip.MustParsePrefix("10.9.0.2/24"))
	connect(t, near, far)
	wait(t, "figures", func() bool { return len(near.Latest(nil, "far")) == 100 && len(far.Latest(nil, "near")) == 100 })
	near.moveTo(t, netip.MustParsePrefix("10.9.0.3/24"))
	wait(t, "a socket at the new address", func() bool { return near.Address() == "10.9.0.3:7446" })
	wait(t, "figures for the old address are lost", func() bool { return near.Latest(nil, "far") == nil })
	connect(t, near, far)
	wait(t, "figures again", func() bool { return len(near.Latest(nil, "far")) == 100 && len(far.Latest(nil, "near")) == 100 })
}

// relay forwards datagrams between two nodes: some not at all, others twice, each after another time.
func relay(t *testing.T, first, second *Mesh) netip.AddrPort {
	t.Helper()
	conn, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(loopback))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	ends := [2]netip.AddrPort{netip.MustParseAddrPort(first.Address()), netip.MustParseAddrPort(second.Address())}
	go func() {
		for {
			buffer := make([]byte, 2*packetMost)
			n, from, err := conn.ReadFromUDPAddrPort(buffer)
			if err != nil {
				return
			}
			to := ends[0]
			if from == ends[0] {
				to = ends[1]
			}
			for range rand.N(3) {
				time.AfterFunc(rand.N(200*time.Millisecond), func() { _, _ = conn.WriteToUDPAddrPort(buffer[:n], to) })
			}
		}
	}()
	return conn.LocalAddr().(*net.UDPAddr).AddrPort()
}

func TestFiguresNeverGoBack(t *testing.T) {
	var calls atomic.Uint64
	services := servicesOf(100)
	for i := range services {
		services[i].Figures = func(string) policy.Figures { return policy.Figures{InFlight: float64(calls.Add(1) / 100)} }
	}
	a, b := newTestMesh(t, loopback), newTestMesh(t, loopback)
	mustSet(t, a, Spec{Self: "a", Keys: keys})
	mustSet(t, b, Spec{Self: "b", Keys: keys})
	wait(t, "sockets", func() bool { return a.Address() != "" && b.Address() != "" })
	between := relay(t, a, b)
	mustSet(t, a, Spec{Self: "a", Keys: keys, Services: servicesOf(100), Peers: []Peer{{"b", between}}})
	mustSet(t, b, Spec{Self: "b", Keys: keys, Services: services, Peers: []Peer{{"a", between}}})

	newest := map[string]float64{}
	wait(t, "datagrams in another order, and copies", func() bool {
		for _, one := range a.Latest(nil, "b") {
			if one.InFlight < newest[one.Service] {
				t.Fatalf("%s had %v, then %v", one.Service, newest[one.Service], one.InFlight)
			}
			newest[one.Service] = one.InFlight
		}
		got := a.Counters().Received
		return len(newest) == 100 && got[Accepted] > 20 && got[Reordered] > 20 && got[Replayed] > 20
	})
	if got := a.Counters().Received; got[Forged]+got[Malformed]+got[Unknown]+got[TooFast] > 0 {
		t.Errorf("received %v", got)
	}
}

func TestNothingRunsAfterClose(t *testing.T) {
	before := runtime.NumGoroutine()
	nodes := newCluster(t, 4, servicesOf(10))
	wait(t, "figures", func() bool { return len(nodes[0].Latest(nil, nodeName(3))) == 10 })
	for _, node := range nodes {
		node.Close()
	}
	wait(t, "all goroutines end", func() bool { return runtime.NumGoroutine() <= before })
}
