package sockets

import (
	"net"
	"net/netip"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
)

func TestApplicationsSeeTheAddressOfTheService(t *testing.T) {
	engine := newEngine(t)
	var services []Service
	for _, key := range []datapath.Key{tcp4, tcp6, udp4, udp6} {
		services = append(services, serviceOf(t, key, "a", "b"))
	}
	set(t, engine, services...)
	for _, service := range services {
		conn := dial(t, service.Key, 1)[0]
		if got := conn.RemoteAddr().String(); got != addressOfKey(service.Key) {
			t.Errorf("%s: the peer is %s", service.Key, got)
		}
		if service.Key.Protocol == datapath.TCP {
			echoes(t, conn)
		} else if from, _ := answer(t, conn.(*net.UDPConn)); from.String() != addressOfKey(service.Key) {
			t.Errorf("%s: the answer comes from %s", service.Key, from)
		}
		must(t, conn.Close())
		wantOpen(t, engine, service.Key, map[string]uint64{"a": 0, "b": 0})
	}
	other := server(t, tcp4)
	conn, err := net.Dial("tcp", other.String())
	must(t, err)
	defer conn.Close()
	if got := conn.RemoteAddr().String(); got != other.String() {
		t.Errorf("the peer of another connection is %s, want %s", got, other)
	}
}

// answer sends a datagram on a connected socket, and returns who answers, and with what.
func answer(t *testing.T, conn *net.UDPConn) (from netip.AddrPort, text string) {
	t.Helper()
	if _, err := conn.Write([]byte("ping")); err != nil {
		t.Fatal(err)
	}
	return receive(t, conn)
}

func receive(t *testing.T, conn *net.UDPConn) (from netip.AddrPort, text string) {
	t.Helper()
	must(t, conn.SetDeadline(time.Now().Add(10*time.Second)))
	buffer := make([]byte, 100)
	n, from, err := conn.ReadFromUDPAddrPort(buffer)
	must(t, err)
	return netip.AddrPortFrom(from.Addr().Unmap(), from.Port()), string(buffer[:n])
}

func ask(t *testing.T, conn *net.UDPConn, key datapath.Key) (from netip.AddrPort, text string) {
	t.Helper()
	if _, err := conn.WriteToUDPAddrPort([]byte("ping"), netip.AddrPortFrom(key.Address, key.Port)); err != nil {
		t.Fatal(err)
	}
	return receive(t, conn)
}

func TestDatagramsOfOneSocketGoToOneBackendOfEachService(t *testing.T) {
	engine := newEngine(t)
	second := key("10.96.0.11:53", datapath.UDP)
	numbers[second] = 15
	services := []Service{serviceOf(t, udp4, "a", "b", "c", "d"), serviceOf(t, second, "a", "b", "c", "d"), serviceOf(t, udp6, "a", "b")}
	set(t, engine, services...)
	socket, err := net.ListenUDP("udp", nil) // of both families
	must(t, err)
	defer socket.Close()
	first := map[datapath.Key]string{}
	for range 20 {
		for _, service := range services {
			from, backend := ask(t, socket, service.Key)
			if from.String() != addressOfKey(service.Key) {
				t.Fatalf("the answer of %s comes from %s", service.Key, from)
			}
			if first[service.Key] == "" {
				first[service.Key] = backend
			}
			if backend != first[service.Key] {
				t.Fatalf("%s: a datagram goes to %s, those before went to %s", service.Key, backend, first[service.Key])
			}
		}
	}
	wantSum(t, engine, udp6, 1) // it sent there last
	wantSum(t, engine, udp4, 0)
	for i := range services[0].Backends {
		services[0].Backends[i].Up = services[0].Backends[i].Address.String() != first[udp4]
	}
	set(t, engine, services...)
	if _, backend := ask(t, socket, udp4); backend == first[udp4] {
		t.Errorf("a datagram goes to %s, which is down", backend)
	}
	must(t, socket.Close())
	for _, service := range services {
		wantSum(t, engine, service.Key, 0)
	}
}

func wantSum(t *testing.T, engine *Engine, key datapath.Key, want uint64) {
	t.Helper()
	eventually(t, "the sum of open connections", func() bool {
		sum := uint64(0)
		for _, open := range openAt(t, engine, key) {
			sum += open
		}
		return sum == want
	})
}

func TestASocketOfIPv6ReachesAServiceOfIPv4(t *testing.T) {
	engine := newEngine(t)
	service := serviceOf(t, tcp4, "a")
	set(t, engine, service)
	socket, err := unix.Socket(unix.AF_INET6, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	must(t, err)
	defer unix.Close(socket)
	to := &unix.SockaddrInet6{Port: int(tcp4.Port), Addr: tcp4.Address.As16()}
	must(t, unix.Connect(socket, to))
	peer, err := unix.Getpeername(socket)
	must(t, err)
	if got := peer.(*unix.SockaddrInet6); got.Addr != to.Addr || got.Port != to.Port {
		t.Errorf("the peer is %v port %d", netip.AddrFrom16(got.Addr), got.Port)
	}
	wantOpen(t, engine, tcp4, map[string]uint64{"a": 1})
	if ended, err := engine.End(endOf(service.Backends[0].Address, datapath.TCP)); err != nil || ended != 1 {
		t.Errorf("%d connections ended (%v)", ended, err)
	}
	wantOpen(t, engine, tcp4, map[string]uint64{"a": 0})
}

func TestASocketThatConnectsAgainCountsOnce(t *testing.T) {
	engine := newEngine(t)
	set(t, engine, serviceOf(t, udp4, "a", "b"))
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	must(t, err)
	defer unix.Close(socket)
	for range 5 {
		must(t, unix.Connect(socket, &unix.SockaddrInet4{Port: int(udp4.Port), Addr: udp4.Address.As4()}))
	}
	wantSum(t, engine, udp4, 1)
	elsewhere := server(t, udp4)
	must(t, unix.Connect(socket, &unix.SockaddrInet4{Port: int(elsewhere.Port()), Addr: elsewhere.Addr().As4()}))
	wantSum(t, engine, udp4, 0)
	peer, err := unix.Getpeername(socket)
	must(t, err)
	if got := peer.(*unix.SockaddrInet4); got.Port != int(elsewhere.Port()) {
		t.Errorf("the peer has port %d, want %d", got.Port, elsewhere.Port())
	}
}
