package sockets

import (
	"context"
	"net"
	"net/netip"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
)

var closedPort = netip.MustParseAddrPort("127.0.0.1:1") // no server listens there

// failing returns a service whose cheap node fails.
func failing(t *testing.T, engine *Engine, at netip.AddrPort) Service {
	t.Helper()
	service := serviceOf(t, tcp4, "good")
	service.Backends = append(service.Backends, Backend{Address: at, Node: "bad", Weight: 1, Up: true})
	set(t, engine, service)
	setCosts(t, engine, service, map[string]Cost{"bad": rising(0), "good": rising(time.Hour)})
	return service
}

func tryDial(ctx context.Context) error {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", addressOfKey(tcp4))
	if err == nil {
		err = conn.Close()
	}
	return err
}

func TestABackendThatRejectsIsSkippedForASecond(t *testing.T) {
	engine := newEngine(t)
	service := failing(t, engine, closedPort)
	before := time.Now()
	if err := tryDial(t.Context()); !isRefused(err) {
		t.Fatalf("the first connect: %v", err)
	}
	for range 20 {
		if err := tryDial(t.Context()); err != nil && time.Since(before) < time.Second {
			t.Fatalf("within a second of the failure: %v", err)
		}
	}
	if bad := counts(t, engine, tcp4)["bad"]; bad.Failures == 0 || bad.Open != 0 {
		t.Errorf("the counts of the failed node: %+v", bad)
	}
	eventually(t, "the backend is tried again", func() bool {
		setCosts(t, engine, service, map[string]Cost{"bad": rising(0), "good": rising(time.Hour)})
		return isRefused(tryDial(t.Context()))
	})
	if tried := time.Since(before); tried < time.Second {
		t.Errorf("the backend was tried again after %v", tried)
	}
}

func TestBackendsThatAllFailAreStillTried(t *testing.T) {
	engine := newEngine(t)
	set(t, engine, Service{Key: tcp4, Number: 4, Backends: []Backend{{Address: closedPort, Node: "bad", Weight: 1, Up: true}}})
	for range 3 {
		if err := tryDial(t.Context()); !isRefused(err) {
			t.Fatal(err)
		}
	}
	if bad := counts(t, engine, tcp4)["bad"]; bad != (Counts{Open: 0, Chosen: 3, Failures: 3}) {
		t.Errorf("the only backend has %+v", bad)
	}
}

func TestWithoutABackendConnectFailsAtOnce(t *testing.T) {
	engine := newEngine(t)
	var services []Service
	for _, key := range []datapath.Key{tcp4, tcp6, udp4, udp6} {
		services = append(services, Service{Key: key, Number: numbers[key], Backends: serviceOf(t, key, "a").Backends})
		services[len(services)-1].Backends[0].Up = false
	}
	set(t, engine, services...)
	for _, key := range []datapath.Key{tcp4, tcp6, udp4, udp6} {
		network := map[datapath.Protocol]string{datapath.TCP: "tcp", datapath.UDP: "udp"}[key.Protocol]
		if _, err := net.Dial(network, addressOfKey(key)); !isRefused(err) {
			t.Errorf("connect to %s: %v", key, err)
		}
	}
	socket, err := net.ListenUDP("udp", nil)
	must(t, err)
	defer socket.Close()
	for _, key := range []datapath.Key{udp4, udp6} {
		if _, err := socket.WriteToUDPAddrPort([]byte("ping"), netip.AddrPortFrom(key.Address, key.Port)); !isRefused(err) {
			t.Errorf("send to %s: %v", key, err)
		}
	}
	observed, err := engine.Observe()
	must(t, err)
	for _, service := range observed.Services {
		if want := map[datapath.Protocol]uint64{datapath.TCP: 1, datapath.UDP: 2}[service.Key.Protocol]; service.Refused != want {
			t.Errorf("%s: %d connections refused, want %d", service.Key, service.Refused, want)
		}
	}
}

// silence makes a server receive no SYN from a port of clients; 0: from any.
func silence(t *testing.T, listener net.Listener, port uint16) {
	t.Helper()
	raw, err := listener.(*net.TCPListener).SyscallConn()
	must(t, err)
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_H | unix.BPF_ABS},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: 1, K: uint32(port)},
		{Code: unix.BPF_RET, K: 0xffffffff},
		{Code: unix.BPF_RET},
	}
	if port == 0 {
		filter = filter[3:]
	}
	var failed error
	must(t, raw.Control(func(fd uintptr) {
		failed = unix.SetsockoptSockFprog(int(fd), unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]})
	}))
	must(t, failed)
}

func silentServer(t *testing.T, port uint16) netip.AddrPort {
	t.Helper()
	var plain net.ListenConfig
	plain.SetMultipathTCP(false) // its sockets can't have a filter
	listener, err := plain.Listen(t.Context(), "tcp4", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	silence(t, listener, port)
	go echoStreams(listener)
	return netip.MustParseAddrPort(listener.Addr().String())
}

func TestABackendThatDoesNotAnswerIsSkippedWhileTheFirstConnectStillWaits(t *testing.T) {
	engine := newEngine(t)
	service := failing(t, engine, silentServer(t, 0))
	impatient, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := tryDial(impatient); err == nil {
		t.Fatal("a silent server accepts a connection")
	}
	if bad := counts(t, engine, tcp4)["bad"]; bad != (Counts{Chosen: 1}) {
		t.Errorf("after a connect that its application gave up early: %+v", bad)
	}
	patient, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- tryDial(patient) }()
	eventually(t, "the failure is noticed", func() bool {
		setCosts(t, engine, service, map[string]Cost{"bad": rising(0), "good": rising(time.Hour)})
		return counts(t, engine, tcp4)["bad"].Failures == 1
	})
	noticed := time.Now()
	if err := tryDial(t.Context()); err != nil || time.Since(noticed) > 900*time.Millisecond {
		t.Errorf("the next connect took %v (%v)", time.Since(noticed), err)
	}
	cancel()
	<-ended
	wantOpen(t, engine, tcp4, map[string]uint64{"bad": 0, "good": 0})
}

func TestALostSYNIsNoFailureOfABackendThatAcceptsOthers(t *testing.T) {
	engine := newEngine(t)
	const port = 20001
	set(t, engine, Service{Key: tcp4, Number: 4, Backends: []Backend{{Address: silentServer(t, port), Node: "a", Weight: 1, Up: true}}})
	ctx, cancel := context.WithTimeout(t.Context(), 2500*time.Millisecond)
	defer cancel()
	ended := make(chan error)
	go func() {
		dialer := net.Dialer{LocalAddr: &net.TCPAddr{Port: port}}
		conn, err := dialer.DialContext(ctx, "tcp4", addressOfKey(tcp4))
		if err == nil {
			_ = conn.Close()
		}
		ended <- err
	}()
	for ctx.Err() == nil {
		must(t, tryDial(t.Context()))
		time.Sleep(20 * time.Millisecond)
	}
	if err := <-ended; err == nil {
		t.Fatal("the SYN was not lost")
	}
	if got := counts(t, engine, tcp4)["a"]; got.Failures != 0 || got.Open != 0 {
		t.Errorf("the counts are %+v", got)
	}
}
