package echo

import (
	"context"
	"crypto/sha256"
	"log/slog"
	"net"
	"net/netip"
	"testing"
	"time"
)

var loopback = netip.MustParseAddrPort("127.0.0.1:0")

func newTestMeter(t *testing.T, self string) (meter *Meter, at netip.AddrPort) {
	t.Helper()
	listen := func(context.Context) (netip.AddrPort, error) { return loopback, nil }
	meter = NewMeter(Options{Listen: listen, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(meter.Close)
	meter.Set(Spec{Self: self})
	wait(t, "the meter listens", func() bool { return meter.Address() != "" })
	return meter, netip.MustParseAddrPort(meter.Address())
}

func wait(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("timeout: %s", what)
		}
	}
}

func listen(t *testing.T) (*net.UDPConn, netip.AddrPort) {
	t.Helper()
	conn, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(loopback))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn, conn.LocalAddr().(*net.UDPAddr).AddrPort()
}

// delay forwards datagrams between two meters, each after a while.
func delay(t *testing.T, span time.Duration, first, second netip.AddrPort) netip.AddrPort {
	t.Helper()
	conn, at := listen(t)
	go func() {
		for {
			var buffer [2 * packetLength]byte
			n, from, err := conn.ReadFromUDPAddrPort(buffer[:])
			if err != nil {
				return
			}
			to := first
			if from == first {
				to = second
			}
			time.AfterFunc(span, func() { _, _ = conn.WriteToUDPAddrPort(buffer[:n], to) })
		}
	}()
	return at
}

func TestMetersMeasureTheDelayBetweenThem(t *testing.T) {
	a, atA := newTestMeter(t, "agt_a")
	b, atB := newTestMeter(t, "agt_b")
	const oneWay = 20 * time.Millisecond
	line := delay(t, oneWay, atA, atB)
	a.Set(Spec{Self: "agt_a", Peers: []Peer{{"agt_b", "nod_b", line}}})
	b.Set(Spec{Self: "agt_b", Peers: []Peer{{"agt_a", "nod_a", line}}})
	for node, meter := range map[string]*Meter{"nod_b": a, "nod_a": b} {
		wait(t, "a round trip to "+node, func() bool { // on a busy machine, the first ones may take longer
			got := meter.RoundTrips()
			return len(got) == 1 && got[0].Time < 3*oneWay
		})
		if got := meter.RoundTrips()[0]; got.Node != node || got.Time < 2*oneWay {
			t.Errorf("got %+v", got)
		}
	}
	a.Set(Spec{Self: "agt_a"})
	if got := a.RoundTrips(); len(got) > 0 {
		t.Errorf("of a removed peer: %v", got)
	}
}

// serveAs is a peer that replies after a while, and states that as its residence.
func serveAs(t *testing.T, took, stated time.Duration, times int) netip.AddrPort {
	t.Helper()
	conn, at := listen(t)
	go func() {
		for {
			var buffer [packetLength]byte
			n, from, err := conn.ReadFromUDPAddrPort(buffer[:])
			if err != nil {
				return
			}
			got, _ := parsePacket(buffer[:n])
			got.kind, got.residence = reply, stated
			time.Sleep(took)
			for range times {
				_, _ = conn.WriteToUDPAddrPort(got.append(nil), from)
			}
		}
	}()
	return at
}

func TestTheTimeAtThePeerDoesNotCount(t *testing.T) {
	const busy = 200 * time.Millisecond
	meter, _ := newTestMeter(t, "agt_a")
	meter.Set(Spec{Self: "agt_a", Peers: []Peer{
		{"agt_b", "nod_b", serveAs(t, busy, busy, 1)},
		{"agt_c", "nod_c", serveAs(t, 0, time.Hour, 1)},
		{"agt_d", "nod_d", serveAs(t, 0, 0, 5)},
	}})
	wait(t, "round trips without the time at the peer", func() bool {
		got := meter.RoundTrips()
		return len(got) == 2 && got[0].Node == "nod_b" && got[0].Time < busy/2 && got[1].Node == "nod_d"
	})
}

func TestOnlyPeersGetAReplyAndOnlyFromTheAgentTheyMean(t *testing.T) {
	meter, at := newTestMeter(t, "agt_a")
	peer, atPeer := listen(t)
	other, _ := listen(t)
	meter.Set(Spec{Self: "agt_a", Peers: []Peer{{"agt_b", "nod_b", atPeer}}})

	send := func(from *net.UDPConn, to string, number uint64) {
		t.Helper()
		out := packet{kind: request, number: number, to: sha256.Sum256([]byte(to))}
		if _, err := from.WriteToUDPAddrPort(out.append(nil), at); err != nil {
			t.Fatal(err)
		}
	}
	send(other, "agt_a", 1)
	send(peer, "agt_z", 2)
	send(peer, "agt_a", 3)

	if err := peer.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	for {
		var buffer [packetLength]byte
		n, err := peer.Read(buffer[:])
		if err != nil {
			t.Fatal(err)
		}
		got, valid := parsePacket(buffer[:n])
		if valid && got.kind == request {
			continue // of the meter itself
		}
		if !valid || got.number != 3 {
			t.Fatalf("got %+v", got)
		}
		break // in order, so the others were ignored before
	}
	if err := other.SetReadDeadline(time.Now().Add(50 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if n, err := other.Read(make([]byte, packetLength)); err == nil {
		t.Fatalf("another host got %d bytes", n)
	}
}

func TestAMeterThatIsOffDoesNotListen(t *testing.T) {
	meter, at := newTestMeter(t, "agt_a")
	meter.Set(Spec{})
	if got := meter.Address(); got != "" {
		t.Fatalf("it reports %q", got)
	}
	conn, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(at))
	if err != nil {
		t.Fatalf("the port is in use: %v", err)
	}
	_ = conn.Close()

	var none *Meter
	none.Set(Spec{Self: "agt_a"})
	if none.Address() != "" || none.RoundTrips() != nil {
		t.Fatal("a nil meter measures")
	}
	none.Close()
}
