package userspace

import (
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

func minute() time.Time { return time.Now().Add(time.Minute) }

// clientOf returns an address and port that a client may connect from.
func clientOf(t *testing.T) netip.AddrPort {
	t.Helper()
	return netip.AddrPortFrom(serviceAddress, freePort(t))
}

func dialFrom(t *testing.T, from netip.AddrPort, address string) net.Conn {
	t.Helper()
	conn, err := (&net.Dialer{LocalAddr: net.TCPAddrFromAddrPort(from)}).Dial("tcp", address)
	must(t, err)
	t.Cleanup(func() { conn.Close() })
	return conn
}

// accepts requires that a backend gets a connection.
func accepts(t *testing.T, backend *net.TCPListener) {
	t.Helper()
	must(t, backend.SetDeadline(time.Now().Add(10*time.Second)))
	conn, err := backend.Accept()
	must(t, err)
	t.Cleanup(func() { conn.Close() })
}

// waiting waits until this many clients wait for a release.
func waiting(t *testing.T, s *steering, want int) {
	t.Helper()
	for late := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		s.mu.Lock()
		got := s.held
		s.mu.Unlock()
		if got == want {
			return
		}
		if time.Now().After(late) {
			t.Fatalf("%d clients wait, want %d", got, want)
		}
	}
}

func TestAReleasedConnectionGoesByTheBackendsOfThatTime(t *testing.T) {
	before, after := listenAt(t), listenAt(t)
	e, address := carrying(t, 8, datapath.TCP, before.Addr())
	service, from := e.wanted[0], clientOf(t)
	must(t, e.Steering().Hold(datapath.Flow{Service: service.Key, Client: from}, minute()))
	dialFrom(t, from, address)
	waiting(t, e.limits.steering, 1)
	service.Backends = backendsAt(after.Addr())
	set(t, e, service)
	must(t, e.Steering().Release(datapath.Flow{Service: service.Key, Client: from}))
	accepts(t, after)
}

func TestNoConnectionBeginsAtAPlacedBackendThatIsDown(t *testing.T) {
	down, up := listenAt(t), listenAt(t)
	e, address := carrying(t, 8, datapath.TCP, down.Addr(), up.Addr())
	service, from := e.wanted[0], clientOf(t)
	service.Backends = backendsAt(down.Addr(), up.Addr())
	service.Backends[0].Up = false
	set(t, e, service)
	must(t, e.Steering().Put(datapath.Flow{Service: service.Key, Client: from, Backend: "backend0"}, minute()))
	dialFrom(t, from, address)
	accepts(t, up)
}

func TestAClientHasOneSession(t *testing.T) {
	e, _ := carrying(t, 8, datapath.UDP, echoing(t))
	front, client := e.order[0].front.(*udpFront), netip.MustParseAddrPort("127.0.0.1:9")
	first, second := front.session(client), front.session(client)
	if first == nil || first != second {
		t.Error("a datagram that was released while another arrived began a second session")
	}
	if open, counts := e.limits.sessions.open.Load(), only(t, e).Counts; open != 1 || counts.Connections != 1 {
		t.Errorf("%d places are taken, and %d connections counted", open, counts.Connections)
	}
}

func TestTheOldestHeldConnectionLosesItsPlaceFirst(t *testing.T) {
	s, ended := newSteering(), make(chan int, 2*heldMost)
	flow := func(client int) datapath.Flow {
		return datapath.Flow{Client: netip.AddrPortFrom(serviceAddress, uint16(client))}
	}
	waits := func(client int) (called bool) {
		_, called = s.waits(flow(client).Service, flow(client).Client, func(goesOn bool) {
			if goesOn {
				t.Errorf("client %d goes on", client)
			}
			ended <- client
		})
		return called
	}
	for client := range heldMost/heldOfFlowMost + 1 {
		must(t, s.Hold(flow(client), minute()))
	}
	for client := range heldMost / heldOfFlowMost {
		for range heldOfFlowMost {
			if !waits(client) {
				t.Fatalf("client %d has no place", client)
			}
		}
		if waits(client) {
			t.Errorf("client %d has more than %d places", client, heldOfFlowMost)
		}
	}
	if !waits(heldMost / heldOfFlowMost) {
		t.Error("the youngest has no place")
	}
	for range heldOfFlowMost {
		if client := <-ended; client != 0 {
			t.Errorf("client %d lost its place, want the oldest", client)
		}
	}
	if s.held != heldMost-heldOfFlowMost+1 {
		t.Errorf("%d places are taken", s.held)
	}
}

func TestAHoldHasALongestTime(t *testing.T) {
	e, _ := carrying(t, 8, datapath.UDP, echoing(t))
	err := e.Steering().Hold(datapath.Flow{Client: netip.MustParseAddrPort("192.0.2.1:1")}, time.Now().Add(2*time.Minute))
	if err == nil || !strings.Contains(err.Error(), "2m0s is too long: 1m0s at a time is the maximum") {
		t.Errorf("%v", err)
	}
}
