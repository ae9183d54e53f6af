package bpf

import (
	"bytes"
	"net"
	"net/netip"
	"slices"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/state"
)

// send runs a client's packet through the program and returns which backend got it.
func send(t *testing.T, e *Engine, f frame) string {
	t.Helper()
	_, out, err := e.program.Test(f.bytes())
	must(t, err)
	for id, mac := range map[string]net.HardwareAddr{"a": macA, "b": macB} {
		if bytes.Equal(out[:6], mac) {
			return id
		}
	}
	return ""
}

func inState(id string, state datapath.State) func(*datapath.Backend) {
	return func(b *datapath.Backend) {
		if b.ID == id {
			b.State = state
		}
	}
}

func tcpService(changes ...func(*datapath.Backend)) datapath.Service {
	return newService(service4, 80, datapath.TCP, datapath.Direct, changes...)
}

// portTo returns a client's port whose new connections go to a backend.
func portTo(t *testing.T, e *Engine, id string, from uint16) uint16 {
	t.Helper()
	for port := from; port < from+500; port++ {
		if send(t, e, from4(6, port, syn, "")) == id {
			return port
		}
	}
	t.Fatalf("no connection goes to %s", id)
	return 0
}

func entries(t *testing.T, e *Engine, name string) (n int) {
	t.Helper()
	must(t, program.InBatches(e.maps[name], func(program.FlowKey, program.FlowEntry) { n++ }))
	return n
}

func TestRowsAreTheSameInGoAndInTheKernel(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, tcpService(), newService(service6, 80, datapath.TCP, datapath.Direct))
	for port := uint16(1000); port < 1500; port++ {
		for _, sent := range []frame{from4(6, port, syn, ""), from6(6, port, syn, "")} {
			s := e.model.ByKey[datapath.Key{Address: sent.dest, Port: 80, Protocol: datapath.TCP}]
			row := program.RowOf(program.ToFlowKey(s.Key, netip.AddrPortFrom(sent.source, port)), s.Entry.Seed)
			if want, got := e.model.Slots[state.ReadTable(s.Table).Row[row].Fresh].ID, send(t, e, sent); got != want {
				t.Fatalf("port %d of %s went to %q, Go calculates %q", port, sent.source, got, want)
			}
		}
	}
}

func TestAFloodOfSYNsStoresAndEvictsNothing(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{Connections: 1024})
	set(t, e, tcpService())
	port := portTo(t, e, "a", 1000)
	send(t, e, from4(6, port, ack, ""))
	flood := func() {
		for i := range 5000 {
			f := from4(6, uint16(i), syn, "")
			f.source = netip.AddrFrom4([4]byte{203, 0, byte(i >> 8), byte(i)})
			send(t, e, f)
		}
	}
	flood()
	if n := entries(t, e, program.TcxMapHalfOpen) + entries(t, e, program.TcxMapConnections); n != 1 {
		t.Errorf("%d entries after a flood, want the one live connection", n)
	}
	set(t, e, tcpService(inState("a", datapath.Draining))) // now SYNs of half the rows are stored
	flood()
	if got := send(t, e, from4(6, port, ack, "")); got != "a" {
		t.Errorf("the live connection went to %q", got)
	}
	if n := entries(t, e, program.TcxMapConnections); n != 1 {
		t.Errorf("%d connections, want 1", n)
	}
}

func TestConnectionsStayWhileBackendsChange(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, tcpService())
	port := portTo(t, e, "a", 1000)
	send(t, e, from4(6, port, ack, ""))
	set(t, e, tcpService(inState("a", datapath.Draining)))
	if got := send(t, e, from4(6, port, ack, "")); got != "a" {
		t.Errorf("while a drains, its connection went to %q", got)
	}
	for other := port + 1; other < port+50; other++ {
		if got := send(t, e, from4(6, other, syn, "")); got != "b" {
			t.Fatalf("a drains and got a new connection (%q)", got)
		}
		if got := send(t, e, from4(6, other, ack, "")); got != "b" {
			t.Fatalf("the second packet went to %q", got)
		}
	}
	// A connection that this replica never saw, which belongs to a by the previous table.
	if got := send(t, e, from4(6, portTo(t, e, "b", 3000), ack, "")); got != "b" {
		t.Errorf("a begun connection went to %q", got)
	}
	before := entries(t, e, program.TcxMapConnections)
	set(t, e, tcpService(inState("a", datapath.Inactive)))
	if after := entries(t, e, program.TcxMapConnections); after != before-1 {
		t.Errorf("%d connections, want those of b only: %d", after, before-1)
	}
	if got := send(t, e, from4(6, port, ack, "")); got != "b" {
		t.Errorf("a is let go, its connection went to %q", got)
	}
}

func TestMisplacedFlowsAreAnnouncedAndLearnt(t *testing.T) {
	place := newPlace(t)
	one, two := openAt(t, place, TCX, datapath.Options{Name: place.Name + "-1"}), openAt(t, place, TCX, datapath.Options{Name: place.Name + "-2"})
	filling := tcpService(inState("b", datapath.Filling))
	set(t, one, filling)
	set(t, two, filling)
	port := portTo(t, one, "b", 1000) // settled has a for all
	send(t, one, from4(6, port, ack, ""))
	want := datapath.Flow{Service: filling.Key, Client: netip.AddrPortFrom(client4, port), Backend: "b"}
	select {
	case got := <-one.Misplaced():
		if got != want {
			t.Fatalf("announced %v, want %v", got, want)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("nothing was announced")
	}
	if now, err := one.MisplacedNow(t.Context()); err != nil || len(now) != 1 || now[0].Backend != "b" || now[0].Client != want.Client {
		t.Fatalf("misplaced now: %v, %v", now, err)
	}
	if got := send(t, two, from4(6, port+1, ack, "")); got != "a" {
		t.Errorf("an unknown flow went to %q", got)
	}
	foreign := datapath.Flow{Service: filling.Key, Client: want.Client, Backend: "unknown"}
	if unknown, err := two.Learn([]datapath.Flow{want, foreign}); err != nil || !slices.Equal(unknown, []datapath.Flow{foreign}) {
		t.Fatalf("%v are unknown (%v), want the one of no backend", unknown, err)
	}
	if got := send(t, two, from4(6, port, ack, "")); got != "b" {
		t.Errorf("a learnt flow went to %q", got)
	}
}

func TestATableChangeAnnouncesMisplacedFlows(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, tcpService())
	port := portTo(t, e, "b", 1000)
	send(t, e, from4(6, port, ack, ""))
	if now, err := e.MisplacedNow(t.Context()); err != nil || len(now) != 0 {
		t.Fatalf("misplaced now: %v, %v", now, err)
	}
	set(t, e, tcpService(inState("b", datapath.Filling)))
	select {
	case got := <-e.Misplaced():
		if got.Backend != "b" || got.Client.Port() != port {
			t.Fatalf("announced %v", got)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("nothing was announced")
	}
}

// When the change ends, the replica that knows the flow may be gone.
func TestFlowsThatAChangeWillMisplaceAreAnnouncedWhenItBegins(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	filling := tcpService(inState("b", datapath.Filling))
	set(t, e, filling)
	port := portTo(t, e, "b", 1000) // a row that b will have
	later := portTo(t, e, "b", port+1)
	set(t, e, tcpService(inState("b", datapath.Inactive)))
	send(t, e, from4(6, port, ack, ""))
	send(t, e, from4(6, later, syn, "")) // delete the record that it started at b
	if now, err := e.MisplacedNow(t.Context()); err != nil || len(now) != 0 {
		t.Fatalf("misplaced now: %v, %v", now, err)
	}
	set(t, e, filling)
	expectAnnounced := func(port uint16) {
		t.Helper()
		want := datapath.Flow{Service: filling.Key, Client: netip.AddrPortFrom(client4, port), Backend: "a"}
		if got := nextAnnounced(t, e); got != want {
			t.Fatalf("announced %v, want %v", got, want)
		}
	}
	expectAnnounced(port)
	send(t, e, from4(6, later, ack, "")) // another replica's connection, which arrived here
	expectAnnounced(later)
	if now, err := e.MisplacedNow(t.Context()); err != nil || len(now) != 2 {
		t.Fatalf("misplaced now: %v, %v", now, err)
	}
	set(t, e, tcpService(inState("b", datapath.Draining))) // a row that a will keep
	if now, err := e.MisplacedNow(t.Context()); err != nil || len(now) != 2 {
		t.Fatalf("misplaced while b drains: %v, %v", now, err)
	}
}

func TestASetUpSurvivesAChangeOfBothTables(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	heavy := func(b *datapath.Backend) {
		if b.ID == "b" {
			b.Weight = 256
		}
	}
	set(t, e, tcpService())
	began := map[uint16]string{}
	for port := uint16(1000); port < 1200; port++ {
		began[port] = send(t, e, from4(6, port, syn, ""))
	}
	set(t, e, tcpService(heavy)) // nearly all rows of a move
	for port, backend := range began {
		if got := send(t, e, from4(6, port, ack, "")); got != backend {
			t.Errorf("port %d began at %s and went on at %s", port, backend, got)
		}
	}
}

// forgetSetups has the effect of many other new connections.
func forgetSetups(t *testing.T, e *Engine) {
	t.Helper()
	for slot := range uint32(program.TcxLimitsSETUPS) {
		must(t, e.maps[program.TcxMapSetups].Put(slot, program.TcxSetup{}))
	}
}

// A slow set-up is no longer among the few timed ones when a change is over.
func TestASlowSetUpSurvivesTheEndOfAChange(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	begins := tcpService(inState("b", datapath.Filling), func(b *datapath.Backend) { b.Up = b.ID == "a" })
	set(t, e, begins)
	for port := uint16(1000); port < 1100; port++ {
		if got := send(t, e, from4(6, port, syn, "")); got != "a" {
			t.Fatalf("port %d began at %q", port, got)
		}
	}
	forgetSetups(t, e)
	set(t, e, tcpService())
	for port := uint16(1000); port < 1100; port++ {
		if got := send(t, e, from4(6, port, ack, "")); got != "a" {
			t.Fatalf("port %d began at a and went on at %q", port, got)
		}
	}
}
