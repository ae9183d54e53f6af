package signals

import (
	"net"
	"net/netip"
	"testing"
	"time"

	"fairlead.dev/agents/internal/adaptive/program"
	"fairlead.dev/agents/internal/balancer/datapath"
	bpf "fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// openUDP counts the service over UDP. Its server answers a datagram with as many as its first byte
// has.
func openUDP(t testing.TB, address netip.Addr) *place {
	t.Helper()
	p := newPlace(t).open()
	must(t, p.signals.Set(p.config(datapath.UDP)))
	socket := p.bind(p.server.Do, netip.AddrPortFrom(address, port))
	go func() {
		buffer := make([]byte, 2048)
		for {
			_, client, err := socket.ReadFromUDPAddrPort(buffer)
			if err != nil {
				return
			}
			for range buffer[0] {
				_, _ = socket.WriteToUDPAddrPort(buffer[:1], client)
			}
		}
	}()
	return p
}

func (p *place) bind(in func(func() error) error, at netip.AddrPort) (socket *net.UDPConn) {
	p.Helper()
	must(p, in(func() (err error) {
		socket, err = net.ListenUDP("udp", net.UDPAddrFromAddrPort(at))
		return err
	}))
	p.Cleanup(func() { _ = socket.Close() })
	return socket
}

func send(t testing.TB, socket *net.UDPConn, to netip.Addr, answers byte) {
	t.Helper()
	_, err := socket.WriteToUDPAddrPort([]byte{answers}, netip.AddrPortFrom(to, port))
	must(t, err)
}

func receive(t testing.TB, socket *net.UDPConn) {
	t.Helper()
	must(t, socket.SetReadDeadline(time.Now().Add(patience)))
	_, _, err := socket.ReadFromUDPAddrPort(make([]byte, 1))
	must(t, err)
}

func TestDatagramsAreRequests(t *testing.T) {
	for _, test := range []struct {
		name                   string
		listen, client, server netip.Addr
		node                   uint32
	}{
		{"IPv4", server4, client4, server4, ourNode},
		{"IPv6", server6, client6, server6, ourNode},
		{"IPv4 at a socket for both", netip.IPv6Unspecified(), client4, server4, ourNode},
		{"IPv6 from another node", server6, far6, server6, farNode},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := openUDP(t, test.listen)
			for range 20 {
				socket := p.bind(p.client.Do, netip.AddrPortFrom(test.client, 0))
				send(t, socket, test.server, 1)
				receive(t, socket)
			}
			p.wait(test.node, Counts{Arrived: 20, Done: 20})
		})
	}
}

func TestAnAnswerMayHaveSeveralDatagrams(t *testing.T) {
	p := openUDP(t, server4)
	socket := p.bind(p.client.Do, netip.AddrPortFrom(client4, 0))
	for range 5 {
		send(t, socket, server4, 3)
		for range 3 {
			receive(t, socket)
		}
	}
	p.wait(ourNode, Counts{Arrived: 5, Done: 5})
}

// The flow has a bounded number of requests, and they expire.
func TestUnansweredDatagramsExpire(t *testing.T) {
	p := openUDP(t, server4)
	socket := p.bind(p.client.Do, netip.AddrPortFrom(client4, 0))
	const sent, most = 100, uint64(program.SignalsSignalLimitsSIGNAL_WAITING)
	for range sent {
		send(t, socket, server4, 0)
	}
	p.wait(ourNode, Counts{InFlight: most, Arrived: sent})
	eventually(t, "them to expire", func() bool {
		drift, err := p.signals.Reconcile()
		must(t, err)
		if drift != (Drift{}) {
			t.Fatalf("counts drifted by %+v", drift)
		}
		return p.counts().Total().InFlight == 0
	})
	p.wait(ourNode, Counts{Arrived: sent})
}

// A flow that the map has no room for takes its requests with it. Reconciling finds them.
func TestForgottenFlowsAreReconciled(t *testing.T) {
	p := openUDP(t, server4)
	socket := p.bind(p.client.Do, netip.AddrPortFrom(client4, 0))
	send(t, socket, server4, 0)
	p.wait(ourNode, Counts{InFlight: 1, Arrived: 1})
	flows := p.signals.maps[program.SignalsMapSignalFlows]
	var key bpf.FlowKey
	must(t, flows.NextKey(nil, &key))
	must(t, flows.Delete(key))
	drift, err := p.signals.Reconcile()
	must(t, err)
	if want := (Drift{InFlight: 1}); drift != want {
		t.Errorf("counts drifted by %+v, want %+v", drift, want)
	}
	p.wait(ourNode, Counts{Arrived: 1})
}
