package userspace

import (
	"net"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// echoing is a backend that echoes datagrams.
func echoing(t *testing.T) net.Addr {
	t.Helper()
	backend, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	echoed := make(chan struct{})
	go func() {
		defer close(echoed)
		datagram := make([]byte, 2048)
		for {
			size, from, err := backend.ReadFrom(datagram)
			if err != nil {
				return
			}
			_, _ = backend.WriteTo(datagram[:size], from)
		}
	}()
	t.Cleanup(func() { backend.Close(); <-echoed })
	return backend.LocalAddr()
}

func TestAFloodOfDatagramsEndsNoSessionInUse(t *testing.T) {
	backend := echoing(t)
	e, address := carrying(t, 8, datapath.UDP, backend)
	live := dial(t, "udp", address)
	for range 2 {
		send(t, live, "ping")
		expect(t, live, "ping")
	}
	for range 100 { // each from its own port, so that none is used twice
		flooder := dial(t, "udp", address)
		send(t, flooder, "flood")
		expect(t, flooder, "flood")
	}
	send(t, live, "ping")
	expect(t, live, "ping")
	observed, err := e.Observe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	counts := observed.Services[0].Counts
	if counts.Connections != 101 || counts.LiveConnections > 9 || e.limits.sessions.open.Load() > 8 {
		t.Errorf("counts %+v, %d places taken", counts, e.limits.sessions.open.Load())
	}
}

func TestAFloodAtOneServiceLeavesRoomForOthers(t *testing.T) {
	backend := echoing(t)
	e, flooded := carrying(t, 8, datapath.UDP, backend)
	service := datapath.Service{Key: e.order[0].key, Delivery: datapath.Proxy, Backends: backendsAt(backend)}
	quiet := service
	quiet.Key.Port = freePort(t)
	if _, err := datapath.Whole(e.Set(t.Context(), inOrder(service, quiet))); err != nil {
		t.Fatal(err)
	}
	for round := range 20 {
		for range 8 {
			flooder := dial(t, "udp", flooded)
			send(t, flooder, "flood")
			expect(t, flooder, "flood")
		}
		if round%2 == 1 {
			client := dial(t, "udp", destination(quiet.Key).String())
			send(t, client, "ping")
			expect(t, client, "ping")
		}
	}
	observed, err := e.Observe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if lost := observed.AllDrops()["table_full"]; lost != 0 {
		t.Errorf("%d datagrams found no room", lost)
	}
	if open := e.limits.sessions.open.Load(); open > 8 {
		t.Errorf("%d places taken", open)
	}
}

func inOrder(a, b datapath.Service) []datapath.Service {
	if a.Key.Port > b.Key.Port {
		a, b = b, a
	}
	return []datapath.Service{a, b}
}
