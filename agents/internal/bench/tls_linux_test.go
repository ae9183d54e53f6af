package bench

import (
	"crypto/tls"
	"io"
	"net"
	"net/netip"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"fairlead.dev/agents/internal/bench/peer"
)

func TestEachReplyIsCompleteThroughATLSProxy(t *testing.T) {
	for _, workload := range []Workload{Small, New, Bulk} {
		t.Run(string(workload), func(t *testing.T) {
			handshakes, address := endTLS(t, startServer(t))
			load, err := Generate(LoadOptions{
				Targets: []netip.AddrPort{address}, Workload: workload, TLS: true, Connections: 8,
				Warmup: 20 * time.Millisecond, For: 2 * time.Second,
			})
			if err != nil || load.Requests < 8 || load.Failed > 0 {
				t.Fatalf("%+v, %v", load, err)
			}
			if load.P50 <= 0 || load.P99 < load.P50 || load.Seconds < 1.9 || load.CPUSeconds <= 0 {
				t.Errorf("figures that can't be: %+v", load)
			}
			if made := handshakes.Load(); workload == New && made < load.Requests || workload != New && made != 8 {
				t.Errorf("%d handshakes for %d answers", made, load.Requests)
			}
		})
	}
}

func TestAPostQuantumKeyShareTakesASecondPacket(t *testing.T) {
	for _, postQuantum := range []bool{false, true} {
		client, server := net.Pipe()
		go func() { _ = tls.Client(client, configOf(LoadOptions{PostQuantum: postQuantum})).Handshake() }()
		hello := make([]byte, 16<<10)
		n, err := server.Read(hello)
		if err != nil || (n > segment) != postQuantum {
			t.Errorf("post-quantum %t: a hello of %d bytes, %v", postQuantum, n, err)
		}
		_ = client.Close()
	}
}

const segment = 1400 // bytes, about what one packet of TCP carries

// endTLS is a TLS proxy in front of a server; it counts full handshakes.
func endTLS(t *testing.T, behind netip.AddrPort) (*atomic.Uint64, netip.AddrPort) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "certificate.pem")
	if err := peer.WriteCertificate(file); err != nil {
		t.Fatal(err)
	}
	pair, err := tls.LoadX509KeyPair(file, file)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{pair}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	whole := &atomic.Uint64{}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				over := conn.(*tls.Conn)
				if over.Handshake() != nil || over.ConnectionState().DidResume {
					return
				}
				whole.Add(1)
				to, err := net.Dial("tcp", behind.String())
				if err != nil {
					return
				}
				defer to.Close()
				go func() { _, _ = io.Copy(to, conn) }()
				_, _ = io.Copy(conn, to)
			}()
		}
	}()
	return whole, netip.MustParseAddrPort(listener.Addr().String())
}
