package userspace

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"slices"
	"syscall"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/hello"
)

func TestAClientWithoutAHelloIsClosed(t *testing.T) {
	e := opened(t, 0)
	e.limits.helloTime = 50 * time.Millisecond
	address := destination(byName(t, e, freePort(t), []string{"a.example"}, instance(t, "a.example")).Key).String()
	for i, sent := range []string{"GET / HTTP/1.1\r\n\r\n", "\x16\x03\x01\x02\x00\x01", ""} {
		client := dial(t, "tcp", address)
		send(t, client, sent)
		if _, err := client.Read(make([]byte, 1)); !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("a client that sent %q received %v", sent, err)
		}
		if got := dropped(t, e, "no_hello"); got != uint64(i+1) {
			t.Errorf("after %q, %d are counted", sent, got)
		}
	}
	client := dial(t, "tcp", address).(*net.TCPConn)
	_ = client.CloseWrite()
	if _, err := client.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("a client that sent nothing received %v", err)
	}
	if got := dropped(t, e, "no_hello"); got != 3 {
		t.Errorf("a client that sent nothing is counted")
	}
}

func TestTheOldestWaitingClientIsClosedFirst(t *testing.T) {
	e := opened(t, 2*hellosPart)
	address := destination(byName(t, e, freePort(t), []string{"a.example"}, instance(t, "a.example")).Key).String()
	var slow []net.Conn
	for i := range 3 { // one too many
		slow = append(slow, dial(t, "tcp", address))
		send(t, slow[i], "\x16")
		if i < 2 {
			awaited(t, e, i+1) // otherwise the second may be registered before the first
		}
	}
	if _, err := slow[0].Read(make([]byte, 1)); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("the first received %v", err)
	}
	if got, err := shown(address, &tls.Config{ServerName: "a.example"}); got != "a.example" || err != nil {
		t.Errorf("a quick client: %q, %v", got, err)
	}
	if got := dropped(t, e, "no_hello"); got != 2 {
		t.Errorf("%d were closed", got)
	}
}

// awaited returns once this many clients are waiting.
func awaited(t *testing.T, e *Engine, want int) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		switch got := e.limits.hellos.Len(); {
		case got == want:
			return
		case time.Now().After(deadline):
			t.Fatalf("%d clients are waiting, not %d", got, want)
		}
	}
}

func TestADrainingInstanceKeepsItsConnectionsAndItsNameIsRejectedQuickly(t *testing.T) {
	e, port := opened(t, 0), freePort(t)
	service := byName(t, e, port, []string{"a.example", "b.example"}, instance(t, "a.example"), instance(t, "b.example"))
	address := destination(service.Key).String()
	conn, err := tls.Dial("tcp", address, &tls.Config{ServerName: "a.example", InsecureSkipVerify: true})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for _, refuse := range []func(*datapath.Backend){
		func(b *datapath.Backend) { b.State = datapath.Draining },
		func(b *datapath.Backend) { b.State, b.Up = datapath.Active, false },
	} {
		before := dropped(t, e, "no_backend")
		service.Backends = slices.Clone(service.Backends)
		refuse(&service.Backends[0])
		set(t, e, service)
		if _, err := shown(address, &tls.Config{ServerName: "a.example"}); !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("a new one received %v", err)
		}
		if got := dropped(t, e, "no_backend"); got != before+1 {
			t.Errorf("%d are counted, of %d before", got, before)
		}
		send(t, conn, "still here")
		expect(t, conn, "still here")
	}
	// A backend that returns has another address, and its name.
	service.Backends = append(slices.Clone(service.Backends[1:]), backendsAt(instance(t, "a.example"))[0])
	service.Backends[1].ID, service.Backends[1].ServerNames = "backend2", []string{"a.example"}
	set(t, e, service)
	if got, err := shown(address, &tls.Config{ServerName: "a.example"}); got != "a.example" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

func TestANameOfSeveralIsSpreadOverThem(t *testing.T) {
	e := opened(t, 0)
	names := []string{"a.example", "a.example", "b.example"}
	address := destination(byName(t, e, freePort(t), names, instance(t, "first"), instance(t, "second"), instance(t, "third")).Key).String()
	seen := map[string]int{}
	for range 64 {
		got, err := shown(address, &tls.Config{ServerName: "a.example"})
		if err != nil {
			t.Fatal(err)
		}
		seen[got]++
	}
	if seen["first"] == 0 || seen["second"] == 0 || seen["third"] != 0 {
		t.Errorf("seen %v", seen)
	}
}

func TestCloseEndsWaitingClients(t *testing.T) {
	e := open(datapath.Options{})
	address := destination(byName(t, e, freePort(t), []string{"a.example"}, instance(t, "a.example")).Key).String()
	client := dial(t, "tcp", address)
	send(t, client, "\x16")
	for e.limits.connections.open.Load() == 0 {
		time.Sleep(time.Millisecond) // until it is registered
	}
	began := time.Now()
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > hello.Timeout/2 {
		t.Errorf("it took %v", took)
	}
	if left := e.limits.hellos.Len(); left != 0 || e.limits.connections.open.Load() != 0 {
		t.Errorf("%d wait, %d are open", left, e.limits.connections.open.Load())
	}
}
