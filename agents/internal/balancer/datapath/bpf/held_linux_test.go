package bpf

import (
	"bytes"
	"encoding/binary"
	"maps"
	"net/netip"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/state"
	"fairlead.dev/agents/internal/netspace"
)

// filling returns a service whose rows of b are b's for new connections only.
func filling() datapath.Service { return tcpService(inState("b", datapath.Filling)) }

// waits returns the next held first packet.
func waits(t *testing.T, e *Engine) datapath.Held {
	t.Helper()
	select {
	case held := <-e.Held():
		return held
	case <-time.After(10 * time.Second):
		t.Fatal("no first packet waits")
		return datapath.Held{}
	}
}

// wireOf captures what is sent on eth0 until the test ends: to one station, or to all.
func wireOf(t *testing.T, place *netspace.Space) (next func(to []byte) []byte) {
	t.Helper()
	var fd int
	must(t, place.Do(func() (err error) {
		all := int(binary.NativeEndian.Uint16(binary.BigEndian.AppendUint16(nil, unix.ETH_P_ALL)))
		fd, err = unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, all)
		return err
	}))
	t.Cleanup(func() { _ = unix.Close(fd) })
	must(t, unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Sec: 10}))
	return func(to []byte) []byte {
		t.Helper()
		buffer := make([]byte, 2048)
		for {
			n, _, err := unix.Recvfrom(fd, buffer, 0)
			must(t, err)
			if to == nil || bytes.Equal(buffer[:6], to) {
				return buffer[:n]
			}
		}
	}
}

func TestAFirstPacketWaitsUntilItIsReleased(t *testing.T) {
	for _, hook := range []Hook{TCX, XDP} {
		for family, make := range map[string]func(byte, uint16, byte, string) frame{"IPv4": from4, "IPv6": from6} {
			t.Run(hook.Name+" "+family, func(t *testing.T) {
				place := newPlace(t)
				e := openAt(t, place, hook, datapath.Options{})
				services := []datapath.Service{filling(), newService(service6, 80, datapath.TCP, datapath.Direct, inState("b", datapath.Filling))}
				set(t, e, services...)
				port := uint16(1000)
				for ; send(t, e, make(6, port, syn, "")) != "b"; port++ {
				}
				port += 200 // another one, not started yet
				for ; ; port++ {
					must(t, e.Hold(time.Minute))
					if send(t, e, make(6, port, syn, "")) == "" {
						break
					}
				}
				held := waits(t, e)
				sent := make(6, port, syn, "")
				want := datapath.Flow{Service: datapath.Key{Address: sent.dest, Port: 80, Protocol: datapath.TCP}, Client: netip.AddrPortFrom(sent.source, port), Backend: "b"}
				if held.Flow != want {
					t.Fatalf("%v waits, want %v", held.Flow, want)
				}
				if got := send(t, e, make(6, port, ack, "")); got != "a" {
					t.Errorf("a later packet, of a connection that another replica let begin, went to %q", got)
				}
				if n := entries(t, e, program.TcxMapConnections); n != 1 {
					t.Fatalf("%d connections", n)
				}
				must(t, e.maps[program.TcxMapConnections].Delete(program.ToFlowKey(want.Service, want.Client)))
				next := wireOf(t, place)
				must(t, held.Release())
				out, in := next(macB), sent.bytes()
				if !bytes.Equal(out[12:], in[12:]) || !bytes.Equal(out[6:12], ours) {
					t.Errorf("sent %x, want %x from us", out, in)
				}
				if got := send(t, e, make(6, port, syn, "")); got != "b" {
					t.Errorf("repeated, it went to %q", got)
				}
				if got := send(t, e, make(6, port, ack, "")); got != "b" {
					t.Errorf("the second packet went to %q", got)
				}
			})
		}
	}
}

func TestNothingWaitsWithoutPeers(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, filling())
	went := func(from uint16, flags byte) (to map[uint16]string) {
		to = map[uint16]string{}
		for port := from; port < from+40; port++ {
			to[port] = send(t, e, from4(6, port, flags, ""))
		}
		return to
	}
	backends := func(to map[uint16]string) map[string]bool {
		ids := map[string]bool{}
		for _, id := range to {
			ids[id] = true
		}
		return ids
	}
	for from, hold := range map[uint16]time.Duration{1000: 0, 2000: time.Nanosecond} { // Hold(0), and an agent that is gone
		must(t, e.Hold(time.Minute))
		if to := backends(went(from, syn)); to["b"] || !to[""] || !to["a"] {
			t.Errorf("with a peer they went to %v", to)
		}
		must(t, e.Hold(hold))
		began := went(from, syn) // retried
		if to := backends(began); to[""] || !to["b"] {
			t.Errorf("hold %v: they went to %v", hold, to)
		}
		if goesOn := went(from, ack); !maps.Equal(goesOn, began) {
			t.Errorf("hold %v: began at %v and went on at %v", hold, began, goesOn)
		}
	}
}

// A Set takes longer than first packets are held.
func TestFlowsAreDescribedWithoutWaitingForASet(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, filling())
	must(t, e.Hold(time.Minute))
	e.mutex.Lock() // as a Set does
	defer e.mutex.Unlock()
	for port := uint16(1000); send(t, e, from4(6, port, syn, "")) != ""; port++ {
	}
	first := waits(t, e)
	ended := make(chan error, 2)
	go func() {
		_, err := e.Learn([]datapath.Flow{first.Flow})
		ended <- err
		_, err = e.MisplacedNow(t.Context())
		ended <- err
	}()
	for range cap(ended) {
		select {
		case err := <-ended:
			must(t, err)
		case <-time.After(10 * time.Second):
			t.Fatal("it waits for the Set")
		}
	}
}

func TestAFloodIsNotHeld(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, filling())
	must(t, e.Hold(time.Minute))
	last := ""
	for i := range 3 * int(program.TcxLimitsHELD_BYTES) / int(program.TcxLimitsHELD_FRAME) { // nothing reads Held
		f := from4(6, uint16(i), syn, "")
		f.source = netip.AddrFrom4([4]byte{203, 0, byte(i >> 8), byte(i)})
		last = send(t, e, f)
		if last == "b" {
			return
		}
	}
	t.Fatalf("all first packets wait: %q", last)
}

// Another replica may finish a change later, and places flows as before until then.
func TestAChangeThatIsOverLingers(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, filling())
	port := portTo(t, e, "b", 1000)
	set(t, e, tcpService())
	must(t, e.Hold(time.Minute))
	f := from4(6, port, syn, "")
	f.source = f.source.Next()
	for ; send(t, e, f) != ""; port++ {
		if f = from4(6, port, syn, ""); port > 2000 {
			t.Fatal("no first packet waits, though others may not have b as active yet")
		}
		f.source = client4.Next()
	}
	if got := waits(t, e).Flow.Backend; got != "b" {
		t.Errorf("one to %s waits", got)
	}
	must(t, e.Hold(0))
	later := portTo(t, e, "b", 3000)
	for ; ; later++ {
		table := state.ReadTable(e.model.Services[0].Table)
		if row := program.RowOf(program.ToFlowKey(filling().Key, netip.AddrPortFrom(client4, later)), e.model.Services[0].Entry.Seed); table.Care[row/4]>>(row%4*2)&program.RowAnnounces != 0 {
			break
		}
	}
	send(t, e, from4(6, later, ack, ""))
	announced := func() bool {
		all, err := e.MisplacedNow(t.Context())
		must(t, err)
		for _, flow := range all {
			if flow.Client.Port() == later {
				return true
			}
		}
		return false
	}
	if !announced() {
		t.Error("a connection that a replica that is behind would not find is not announced")
	}
	// When the time is over, the next Set drops the former table, and that is no change.
	s := e.model.Services[0]
	for i := range s.Formers {
		s.Formers[i].Until = time.Now()
	}
	if changes := set(t, e, tcpService()); changes != 0 {
		t.Errorf("%d changes, want none", changes)
	}
	if announced() {
		t.Error("it is still announced")
	}
}

// It isn't up, so its rows belong to another backend; but it will have them.
func TestAFlowInARowOfABackendThatIsNotUpYetIsAnnouncedAtOnce(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, tcpService())
	port := portTo(t, e, "b", 1000) // a row that b will have
	set(t, e, tcpService(inState("b", datapath.Inactive)))
	send(t, e, from4(6, port, syn, "")) // delete the record that it started at b
	begins := tcpService(inState("b", datapath.Filling), func(b *datapath.Backend) { b.Up = b.ID == "a" })
	set(t, e, begins)
	send(t, e, from4(6, port, ack, ""))
	want := datapath.Flow{Service: begins.Key, Client: netip.AddrPortFrom(client4, port), Backend: "a"}
	select {
	case got := <-e.Misplaced():
		if got != want {
			t.Fatalf("announced %v, want %v", got, want)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("nothing was announced")
	}
}
