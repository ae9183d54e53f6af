package wire_test

import (
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
			trips := roundTrips(t, conn, 60)
			if len(trips) < 50 {
				t.Fatalf("%d of 60 came back", len(trips))
			}
			slices.Sort(trips)
			// Never early. The later half says more of the machine than of the line.
			fastest, middle := trips[0], trips[len(trips)/2]
			if quarter := trips[len(trips)/4]; fastest < 2*delay || quarter > 2*delay+15*time.Millisecond {
				t.Fatalf("fastest %s, first quartile %s, for %s one way", fastest, quarter, delay)
			}
			t.Logf("%s one way: fastest %s, median %s", delay, fastest, middle)
		})
	}
}

func TestSomeFramesAreLost(t *testing.T) {
	line, conn := newLine(t)
	line.Set(0, 0.3)
	const sent = 400
	came := len(roundTrips(t, conn, sent))
	// A round trip survives with 0.7 × 0.7 = 0.49; ± 8 standard deviations.
	if came < 116 || came > 276 {
		t.Fatalf("%d of %d came back", came, sent)
	}
	if lost := line.Counts().Lost; lost < 100 {
		t.Fatalf("%d frames count as lost", lost)
	}
}

func TestMuchDataPassesWhole(t *testing.T) {
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

// A cable that was pulled and put back works again.
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

// roundTrips sends datagrams one after the other and returns how long each took
// that came back.
func roundTrips(t *testing.T, conn net.Conn, count int) []time.Duration {
	t.Helper()
	var trips []time.Duration
	for i := range count {
		sent, began := fmt.Sprint(i, "-", time.Now().UnixNano()), time.Now()
		if _, err := io.WriteString(conn, sent); err != nil {
			continue // the answer to an earlier one may have been "unreachable"
		}
		_ = conn.SetReadDeadline(time.Now().Add(wait(count)))
		for buffer := make([]byte, 100); ; {
			n, err := conn.Read(buffer)
			if err != nil {
				break
			}
			if string(buffer[:n]) == sent {
				trips = append(trips, time.Since(began))
				break
			}
		}
	}
	return trips
}

// wait is short where many are lost on purpose.
func wait(count int) time.Duration {
	if count > 100 {
		return 30 * time.Millisecond
	}
	return 500 * time.Millisecond
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
	line, err := wire.Open(spaces["wires"], "near", "far")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := line.Close(); err != nil {
			t.Error(err)
		}
	})
	var echo net.PacketConn
	err = spaces["far"].Do(func() (err error) {
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
	conn, err := spaces["near"].Dial(t.Context(), "udp", "10.9.0.2:7")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return line, conn
}
