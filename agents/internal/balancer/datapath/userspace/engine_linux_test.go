package userspace

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"syscall"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// These tests use loopback addresses, all of which are local. What needs a network is in
// the contract.
var serviceAddress = netip.MustParseAddr("127.0.0.92")

func carrying(t *testing.T, connections int, protocol datapath.Protocol, backends ...net.Addr) (*Engine, string) {
	t.Helper()
	e := open(datapath.Options{Connections: connections})
	t.Cleanup(func() {
		if err := e.Remove(); err != nil {
			t.Error(err)
		}
	})
	service := datapath.Service{
		Key:      datapath.Key{Address: serviceAddress, Port: freePort(t), Protocol: protocol},
		Delivery: datapath.Proxy, Backends: backendsAt(backends...),
	}
	if _, err := datapath.Whole(e.Set(t.Context(), []datapath.Service{service})); err != nil {
		t.Fatal(err)
	}
	return e, destination(service.Key).String()
}

func backendsAt(addresses ...net.Addr) (backends []datapath.Backend) {
	for i, address := range addresses {
		at := netip.MustParseAddrPort(address.String())
		backends = append(backends, datapath.Backend{
			ID: fmt.Sprint("backend", i), Address: at.Addr(), Port: at.Port(), Weight: 1, State: datapath.Active, Up: true,
		})
	}
	return backends
}

// freePort returns a port that is free for both protocols at this moment.
func freePort(t *testing.T) uint16 {
	t.Helper()
	for range 20 {
		listener, err := net.Listen("tcp", serviceAddress.String()+":0")
		if err != nil {
			t.Fatal(err)
		}
		conn, err := net.ListenPacket("udp", listener.Addr().String())
		listener.Close()
		if err == nil {
			conn.Close()
			return uint16(listener.Addr().(*net.TCPAddr).Port)
		}
	}
	t.Fatal("no port is free")
	return 0
}

func listenAt(t *testing.T) *net.TCPListener {
	t.Helper()
	listener, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	return listener
}

func dial(t *testing.T, network, address string) net.Conn {
	t.Helper()
	conn, err := net.Dial(network, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	return conn
}

// joined returns a client's connection and the backend's end of it.
func joined(t *testing.T, address string, backend *net.TCPListener) (client, server *net.TCPConn) {
	t.Helper()
	client = dial(t, "tcp", address).(*net.TCPConn)
	server, err := backend.AcceptTCP()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	_ = server.SetDeadline(time.Now().Add(10 * time.Second))
	return client, server
}

func send(t *testing.T, conn io.Writer, text string) {
	t.Helper()
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
}

func expect(t *testing.T, conn io.Reader, want string) {
	t.Helper()
	got := make([]byte, len(want))
	if _, err := io.ReadFull(conn, got); err != nil || string(got) != want {
		t.Fatalf("received %q, %v, want %q", got, err, want)
	}
}

func TestEitherSideMayCloseItsHalfFirst(t *testing.T) {
	backend := listenAt(t)
	_, address := carrying(t, 0, datapath.TCP, backend.Addr())
	client, server := joined(t, address, backend)
	send(t, client, "question")
	if err := client.CloseWrite(); err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(server); string(got) != "question" || err != nil {
		t.Fatalf("the backend received %q, %v", got, err)
	}
	send(t, server, "answer")
	server.Close()
	if got, err := io.ReadAll(client); string(got) != "answer" || err != nil {
		t.Fatalf("the client received %q, %v", got, err)
	}
}

func TestAResetIsPassedOnAsAReset(t *testing.T) {
	backend := listenAt(t)
	_, address := carrying(t, 0, datapath.TCP, backend.Addr())
	client, server := joined(t, address, backend)
	send(t, client, "question")
	expect(t, server, "question")
	_ = server.SetLinger(0)
	server.Close()
	if _, err := client.Read(make([]byte, 1)); !errors.Is(err, syscall.ECONNRESET) {
		t.Fatalf("the client received %v", err)
	}
}

// dropped returns the drops of the service for one reason.
func dropped(t *testing.T, e *Engine, reason string) uint64 {
	t.Helper()
	return only(t, e).Drops[reason]
}

func only(t *testing.T, e *Engine) datapath.ServiceCounts {
	t.Helper()
	observed, err := e.Observe(t.Context())
	if err != nil || len(observed.Services) != 1 {
		t.Fatalf("observed %+v, %v", observed, err)
	}
	return observed.Services[0]
}

func TestABackendThatRefusesConnectionsIsSkipped(t *testing.T) {
	alive, dead := listenAt(t), listenAt(t)
	dead.Close()
	e, address := carrying(t, 0, datapath.TCP, dead.Addr(), alive.Addr())
	for range 24 { // half of them would go to the dead one first
		client, server := joined(t, address, alive)
		send(t, client, "question")
		expect(t, server, "question")
	}
	if lost := dropped(t, e, "backend_unreachable"); lost != 0 {
		t.Errorf("%d clients are counted as lost", lost)
	}
}

func TestAClientIsRefusedWhenAllBackendsFail(t *testing.T) {
	first, second := listenAt(t), listenAt(t)
	first.Close()
	second.Close()
	e, address := carrying(t, 0, datapath.TCP, first.Addr(), second.Addr())
	client, err := net.Dial("tcp", address)
	if err == nil { // the reset may also come before we look
		defer client.Close()
		_, err = client.Read(make([]byte, 1))
	}
	if !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("the client received %v", err)
	}
	if lost := dropped(t, e, "backend_unreachable"); lost != 1 {
		t.Errorf("%d clients are counted as lost", lost)
	}
	var ofBackends uint64
	for _, each := range only(t, e).Backends {
		ofBackends += each.Drops["backend_unreachable"]
	}
	if ofBackends != 1 {
		t.Errorf("backends have lost %d clients", ofBackends)
	}
}

func TestAFullTableRefusesNewConnectionsAndKeepsTheOld(t *testing.T) {
	backend := listenAt(t)
	e, address := carrying(t, 2, datapath.TCP, backend.Addr())
	first, firstServer := joined(t, address, backend)
	joined(t, address, backend)
	third, err := net.Dial("tcp", address)
	if err == nil { // the reset may also come before we look
		defer third.Close()
		_, err = third.Read(make([]byte, 1))
	}
	if !errors.Is(err, syscall.ECONNRESET) {
		t.Fatalf("one too many received %v", err)
	}
	send(t, first, "still here")
	expect(t, firstServer, "still here")
	observed, err := e.Observe(t.Context())
	if err != nil || len(observed.Warnings) != 1 || dropped(t, e, "table_full") != 1 {
		t.Errorf("observed %+v, %v", observed, err)
	}
}

func TestCloseEndsEverythingItStarted(t *testing.T) {
	backend := listenAt(t)
	e, address := carrying(t, 0, datapath.TCP, backend.Addr())
	client, _ := joined(t, address, backend)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Read(make([]byte, 1)); err == nil || errors.Is(err, syscall.EAGAIN) {
		t.Fatalf("the client received %v", err)
	}
	if open := e.limits.connections.open.Load(); open != 0 {
		t.Errorf("%d connections are open", open)
	}
}
