package endpoint

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"
)

var loopback = netip.MustParseAddrPort("127.0.0.1:0")

// host is where a test's address comes from.
type host struct {
	mu      sync.Mutex
	at      netip.AddrPort
	err     error
	queries int
}

func (h *host) current(context.Context) (netip.AddrPort, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.queries++
	return h.at, h.err
}

func (h *host) become(at netip.AddrPort, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.at, h.err, h.queries = at, err, 0
}

func (h *host) queried() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.queries
}

// reader reads datagrams and discards them.
type reader struct{}

func (reader) Send(ctx context.Context, _ *net.UDPConn) { <-ctx.Done() }

func (reader) Receive(conn *net.UDPConn) error {
	for {
		if _, err := conn.Read(make([]byte, 1)); err != nil {
			return err
		}
	}
}

// run keeps an endpoint until the test ends; it fails if goroutines remain.
func run(t *testing.T, h *host) *Endpoint {
	t.Helper()
	e := &Endpoint{Current: h.current, Failed: func(error) {}, Retry: time.Millisecond}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		e.Run(ctx, reader{})
	}()
	t.Cleanup(func() {
		cancel()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			t.Error("it doesn't stop")
		}
	})
	return e
}

func wait(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("timeout: %s", what)
		}
	}
}

func TestAChangedAddressIsUsed(t *testing.T) {
	h := &host{at: loopback}
	e := run(t, h)
	wait(t, "a socket", func() bool { return e.Address() != "" })
	h.become(netip.MustParseAddrPort("127.0.0.2:0"), nil)
	wait(t, "a socket at the other address", func() bool { return strings.HasPrefix(e.Address(), "127.0.0.2:") })
}

func TestANameThatCannotBeResolvedKeepsTheAddress(t *testing.T) {
	h := &host{at: loopback}
	e := run(t, h)
	wait(t, "a socket", func() bool { return e.Address() != "" })
	before := e.Address()
	h.become(netip.AddrPort{}, errors.New("no such host"))
	wait(t, "failed attempts", func() bool { return h.queried() > 3 })
	if got := e.Address(); got != before {
		t.Errorf("got %q, want %q", got, before)
	}
}

func TestAPortInUseIsReported(t *testing.T) {
	other, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(loopback))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = other.Close() })
	at := other.LocalAddr().(*net.UDPAddr).AddrPort()
	e := run(t, &host{at: at})
	wait(t, "the reason", func() bool { return e.Trouble() != "" })
	if got := e.Trouble(); !strings.Contains(got, at.String()) || !strings.Contains(got, "in use") || e.Address() != "" {
		t.Errorf("got %q", got)
	}
	_ = other.Close()
	wait(t, "a socket", func() bool { return e.Address() != "" })
	if got := e.Trouble(); got != "" {
		t.Errorf("with a socket: %q", got)
	}
}
