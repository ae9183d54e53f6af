package wire_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"slices"
	"testing"
	"time"

	"fairlead.dev/agents/internal/lab/wire"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/privileged"
)

func TestFramesArriveLate(t *testing.T) {
	for _, delay := range []time.Duration{0, 3 * time.Millisecond, 20 * time.Millisecond, 50 * time.Millisecond} {
		t.Run(delay.String(), func(t *testing.T) {
			line, conn := newLine(t)
			line.Set(delay, 0)
			delays(t, conn, delay)
		})
	}
}

// delays fails unless frames need this time one way.
func delays(t *testing.T, conn net.Conn, delay time.Duration) {
	t.Helper()
	const most, rounds = 15 * time.Millisecond, 20
	var quarter time.Duration
	for range rounds { // one good round is enough: in the others the machine was busy
		trips := roundTrips(t, conn, 20)
		if len(trips) < 15 {
			t.Fatalf("%d of 20 came back", len(trips))
		}
		slices.Sort(trips)
		if trips[0] < 2*delay { // never
			t.Fatalf("one came after %s, for %s one way", trips[0], delay)
		}
		if quarter = trips[len(trips)/4]; quarter <= 2*delay+most {
			return
		}
	}
	t.Fatalf("in %d rounds, the first quartile was never within %s, and was %s in the last, for %s one way", rounds, 2*delay+most, quarter, delay)
}

func TestSomeFramesAreLost(t *testing.T) {
	line, conn := newLine(t)
	line.Set(0, 0.3)
	const sent = 400
	came := 0
	for range sent {
		before := line.Counts().Lost
		if _, back := roundTrip(conn, func() bool { return line.Counts().Lost > before }); back {
			came++
		}
	}
	// A round trip survives with 0.7 × 0.7 = 0.49; ± 8 standard deviations.
	if came < 116 || came > 276 {
		t.Fatalf("%d of %d came back", came, sent)
	}
	if lost := line.Counts().Lost; lost < 100 {
		t.Fatalf("%d frames count as lost", lost)
	}
}

func TestBulkDataPassesIntact(t *testing.T) {
	line, _ := newLine(t)
	line.Set(2*time.Millisecond, 0)
	listener, err := far(t).Listen(t.Context(), "tcp", "10.9.0.2:80")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		if conn, err := listener.Accept(); err == nil {
			_, _ = io.Copy(conn, conn)
			_ = conn.Close()
		}
	}()
	conn, err := near(t).Dial(t.Context(), "tcp", "10.9.0.2:80")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(60 * time.Second))
	sent := make([]byte, 8<<20)
	for i := range sent {
		sent[i] = byte(i * i >> 8)
	}
	go func() {
		_, _ = conn.Write(sent)
		_ = conn.(*net.TCPConn).CloseWrite()
	}()
	got, err := io.ReadAll(conn)
	if err != nil || !slices.Equal(got, sent) {
		t.Fatalf("%d of %d bytes came back, %v", len(got), len(sent), err)
	}
}

// A cable works again after it was cut and restored.
func TestALineOutlivesItsLinks(t *testing.T) {
	_, conn := newLine(t)
	for range 3 {
		if err := far(t).Down("eth0"); err != nil {
			t.Fatal(err)
		}
		if came := roundTrips(t, conn, 3); len(came) > 0 {
			t.Fatalf("%d came back over a cable that is cut", len(came))
		}
		if err := far(t).Up("eth0"); err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(20 * time.Second); len(roundTrips(t, conn, 1)) == 0; {
			if time.Now().After(deadline) {
				t.Fatal("nothing came back after the cable was restored")
			}
		}
	}
}

// roundTrips sends datagrams one after the other and returns the round-trip times of those that came back.
func roundTrips(t *testing.T, conn net.Conn, count int) []time.Duration {
	t.Helper()
	var trips []time.Duration
	for range count {
		began := time.Now()
		if trip, back := roundTrip(conn, func() bool { return time.Since(began) > 500*time.Millisecond }); back {
			trips = append(trips, trip)
		}
	}
	return trips
}

// roundTrip sends a datagram and waits until it is back, or lost.
func roundTrip(conn net.Conn, lost func() bool) (trip time.Duration, back bool) {
	sent, began := fmt.Sprint(time.Now().UnixNano()), time.Now()
	if _, err := io.WriteString(conn, sent); err != nil {
		return 0, false // the reply to an earlier one may have been "unreachable"
	}
	for buffer := make([]byte, 100); ; {
		_ = conn.SetReadDeadline(time.Now().Add(5 * time.Millisecond))
		n, err := conn.Read(buffer)
		switch {
		case err == nil && string(buffer[:n]) == sent:
			return time.Since(began), true
		case err != nil && !errors.Is(err, os.ErrDeadlineExceeded), lost():
			return 0, false
		}
	}
}

func near(t *testing.T) *netspace.Space { return open(t, "near") }
func far(t *testing.T) *netspace.Space  { return open(t, "far") }

func open(t *testing.T, name string) *netspace.Space {
	t.Helper()
	space, err := netspace.Open(fmt.Sprintf("fltest-%d-%s", os.Getpid(), name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = space.Close() })
	return space
}

// newLine lays near ═ line ═ far, and connects to a datagram echo at the far end.
func newLine(t *testing.T) (*wire.Line, net.Conn) {
	t.Helper()
	line, err := wire.Open(newWires(t), "near", "far")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := line.Close(); err != nil {
			t.Error(err)
		}
	})
	return line, newEcho(t)
}

// newWires returns the namespace where near and far each have an interface, which nothing connects yet.
func newWires(t *testing.T) *netspace.Space {
	t.Helper()
	privileged.Need(t)
	spaces := map[string]*netspace.Space{}
	for _, name := range []string{"near", "wires", "far"} {
		space, err := netspace.New(fmt.Sprintf("fltest-%d-%s", os.Getpid(), name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := space.Delete(); err != nil {
				t.Error(err)
			}
		})
		spaces[name] = space
	}
	for i, name := range []string{"near", "far"} {
		err := netspace.Connect(
			netspace.End{Space: spaces[name], Interface: "eth0", Addresses: []netip.Prefix{netip.MustParsePrefix(fmt.Sprintf("10.9.0.%d/24", i+1))}},
			netspace.End{Space: spaces["wires"], Interface: name},
		)
		if err != nil {
			t.Fatal(err)
		}
	}
	return spaces["wires"]
}

// newEcho connects from near to a datagram echo at far.
func newEcho(t *testing.T) net.Conn {
	t.Helper()
	var echo net.PacketConn
	err := far(t).Do(func() (err error) {
		echo, err = net.ListenPacket("udp", "10.9.0.2:7")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = echo.Close() })
	go func() {
		for buffer := make([]byte, 100); ; {
			n, from, err := echo.ReadFrom(buffer)
			if err != nil {
				return
			}
			_, _ = echo.WriteTo(buffer[:n], from)
		}
	}()
	conn, err := near(t).Dial(t.Context(), "udp", "10.9.0.2:7")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}
