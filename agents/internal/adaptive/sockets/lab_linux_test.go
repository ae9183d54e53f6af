package sockets

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/adaptive/policy"
	"fairlead.dev/agents/internal/adaptive/program"
	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/mounttest"
	"fairlead.dev/agents/internal/netspace/netspacetest"
)

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVariable); role != "" {
		os.Exit(play(role))
	}
	netspacetest.Main(m)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newOptions(t testing.TB) Options {
	t.Helper()
	return Options{Cgroup: mounttest.EnterCgroup(t), PinFolder: filepath.Join(mounttest.BPF(t), "role"), Node: "here"}
}

func open(t testing.TB, options Options) *Engine {
	t.Helper()
	engine, err := Open(options)
	must(t, err)
	return engine
}

func newEngine(t testing.TB) *Engine {
	t.Helper()
	engine := open(t, newOptions(t))
	t.Cleanup(func() { must(t, engine.Remove()) })
	return engine
}

// Addresses of services, which no interface has.
var (
	tcp4 = key("10.96.0.10:80", datapath.TCP)
	tcp6 = key("[fd00:96::10]:80", datapath.TCP)
	udp4 = key("10.96.0.10:53", datapath.UDP)
	udp6 = key("[fd00:96::10]:53", datapath.UDP)
)

func key(address string, protocol datapath.Protocol) datapath.Key {
	at := netip.MustParseAddrPort(address)
	return datapath.Key{Address: at.Addr(), Port: at.Port(), Protocol: protocol}
}

func set(t testing.TB, engine *Engine, services ...Service) int {
	t.Helper()
	changes, err := datapath.Whole(engine.Set(services))
	must(t, err)
	return changes
}

// server accepts connections and returns what it gets, or answers datagrams with its address.
func server(t testing.TB, key datapath.Key) netip.AddrPort {
	t.Helper()
	host := "127.0.0.1:0"
	if key.Address.Is6() {
		host = "[::1]:0"
	}
	if key.Protocol == datapath.UDP {
		socket, err := net.ListenPacket("udp", host)
		must(t, err)
		t.Cleanup(func() { _ = socket.Close() })
		go answerDatagrams(socket)
		return netip.MustParseAddrPort(socket.LocalAddr().String())
	}
	listener, err := net.Listen("tcp", host)
	must(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	go echoStreams(listener)
	return netip.MustParseAddrPort(listener.Addr().String())
}

func answerDatagrams(socket net.PacketConn) {
	buffer := make([]byte, 1500)
	for {
		_, from, err := socket.ReadFrom(buffer)
		if err != nil {
			return
		}
		_, _ = socket.WriteTo([]byte(socket.LocalAddr().String()), from)
	}
}

func echoStreams(listener net.Listener) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		go func() {
			defer conn.Close()
			_, _ = io.Copy(struct{ io.Writer }{conn}, struct{ io.Reader }{conn}) // without a pipe of the kernel, which needs two files
		}()
	}
}

func echoes(t testing.TB, conn net.Conn) {
	t.Helper()
	must(t, conn.SetDeadline(time.Now().Add(10*time.Second)))
	buffer := make([]byte, 4)
	if _, err := conn.Write([]byte("ping")); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(conn, buffer); err != nil || string(buffer) != "ping" {
		t.Fatalf("the answer is %q (%v)", buffer, err)
	}
}

// serviceOf returns a service with a server at each node.
func serviceOf(t testing.TB, key datapath.Key, nodes ...string) Service {
	t.Helper()
	service := Service{Key: key, Number: numbers[key]}
	for _, node := range nodes {
		service.Backends = append(service.Backends, Backend{Address: server(t, key), Node: node, Weight: 1, Up: true})
	}
	return service
}

var numbers = map[datapath.Key]uint16{tcp4: 4, tcp6: 6, udp4: 14, udp6: 16}

// rising costs this much before the first request, and a millisecond more for each.
func rising(fixed time.Duration) Cost {
	cost := Cost{Cost: &policy.Cost{Fixed: uint64(fixed), Slope: uint64(time.Millisecond)}, At: time.Now()}
	for i := range cost.Steps {
		cost.Steps[i] = uint64(i) * uint64(time.Millisecond)
	}
	return cost
}

func endOf(at netip.AddrPort, protocol datapath.Protocol) datapath.Key {
	return datapath.Key{Address: at.Addr(), Port: at.Port(), Protocol: protocol}
}

func setCosts(t testing.TB, engine *Engine, service Service, costs map[string]Cost) {
	t.Helper()
	all := []Cost{}
	for node, cost := range costs {
		cost.Service, cost.Node = service.Number, node
		all = append(all, cost)
	}
	must(t, engine.SetCosts(slices.Values(all)))
}

// dial opens connections, which the test closes if it doesn't itself.
func dial(t testing.TB, key datapath.Key, n int) (out []net.Conn) {
	t.Helper()
	network := map[datapath.Protocol]string{datapath.TCP: "tcp", datapath.UDP: "udp"}[key.Protocol]
	for range n {
		conn, err := net.Dial(network, netip.AddrPortFrom(key.Address, key.Port).String())
		must(t, err)
		t.Cleanup(func() { _ = conn.Close() })
		out = append(out, conn)
	}
	return out
}

func closeAll(t testing.TB, conns []net.Conn) {
	t.Helper()
	for _, conn := range conns {
		must(t, conn.Close())
	}
}

// counts returns the counts of a service's nodes, and an empty map if it isn't set.
func counts(t testing.TB, engine *Engine, key datapath.Key) map[string]Counts {
	t.Helper()
	observed, err := engine.Observe()
	must(t, err)
	out := map[string]Counts{}
	for _, service := range observed.Services {
		if service.Key == key {
			for _, node := range service.Nodes {
				out[node.Node] = node.Counts
			}
		}
	}
	return out
}

func openAt(t testing.TB, engine *Engine, key datapath.Key) map[string]uint64 {
	t.Helper()
	out := map[string]uint64{}
	for node, counts := range counts(t, engine, key) {
		out[node] = counts.Open
	}
	return out
}

func wantOpen(t testing.TB, engine *Engine, key datapath.Key, want map[string]uint64) {
	t.Helper()
	var got map[string]uint64
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if got = openAt(t, engine, key); fmt.Sprint(got) == fmt.Sprint(want) {
			return
		}
	}
	t.Fatalf("open connections: %v, want %v", got, want)
}

func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if is() {
			return
		}
	}
	t.Fatalf("not within 10 s: %s", what)
}

func setInFlight(t testing.TB, engine *Engine, service Service, n int64) {
	t.Helper()
	must(t, engine.maps[program.SocketsMapInFlight].Put(uint32(service.Number), n))
}

func isRefused(err error) bool { return errors.Is(err, unix.ECONNREFUSED) }
