package balancer

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"sync"
	"testing"
	"time"

	"fairlead.dev/agents/internal/agent"
	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/userspace"
	"fairlead.dev/agents/internal/balancer/health"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// server answers every connection with its name.
type server struct {
	name string
	port uint32
	stop func()
}

func serve(t *testing.T, name, address string) server {
	t.Helper()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	var work sync.WaitGroup
	work.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = io.WriteString(conn, name)
			_ = conn.Close()
		}
	})
	stop := func() { _ = listener.Close(); work.Wait() }
	t.Cleanup(stop)
	return server{name, uint32(listener.Addr().(*net.TCPAddr).Port), stop}
}

// A whole agent with a real engine, real checks and real sockets: from the moment
// a check knows that a backend is down to the moment nobody is sent there.
func TestADeadBackendGetsNoConnectionATenthOfASecondAfterItIsKnown(t *testing.T) {
	a, b := serve(t, "a", "127.0.0.1:0"), serve(t, "b", "127.0.0.1:0")
	var mu sync.Mutex
	var known time.Time // when the check of b failed
	probe := func(ctx context.Context, target health.Target) error {
		err := health.Prober{}.Probe(ctx, target)
		mu.Lock()
		defer mu.Unlock()
		if err != nil && uint32(target.Port) == b.port && known.IsZero() {
			known = time.Now()
		}
		return err
	}
	const address = "127.0.0.91"
	port := freePort(t, address)
	candidate := userspace.Candidate()
	opened := &followed{down: make(chan time.Time, 1)}
	candidate.Open = func(options datapath.Options) (_ datapath.Engine, err error) {
		opened.Engine, err = userspace.Candidate().Open(options)
		return opened, err
	}
	driver := NewDriver(Options{
		Candidates: []datapath.Candidate{candidate}, Engine: datapath.Options{Interface: "lo"},
		StateFolder: t.TempDir(), Log: slog.New(slog.DiscardHandler), Probe: probe,
	})
	link := fed{make(chan *agentv1.NodeConfig)}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		done <- agent.Run(ctx, agent.Options{Link: link, StateFolder: t.TempDir(), Log: slog.New(slog.DiscardHandler)}, NewRole(driver))
	}()
	defer func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}()
	link.configs <- &agentv1.NodeConfig{Revision: 1, Balancer: &agentv1.BalancerRole{Services: []*agentv1.BalancerService{{
		Address: address, Port: port, Protocol: "tcp",
		HealthCheck: &agentv1.HealthCheck{Type: "tcp", IntervalMs: 200, Rise: 1, Fall: 1},
		Backends: []*agentv1.BalancerBackend{
			{Id: "a", Address: "127.0.0.1", Port: a.port, Weight: 1, State: "active"},
			{Id: "b", Address: "127.0.0.1", Port: b.port, Weight: 1, State: "active"},
		},
	}}}}
	service := fmt.Sprintf("%s:%d", address, port)
	until(t, "answer of b", func() bool { return ask(service) == "b" })

	b.stop()
	followed := <-opened.down
	mu.Lock()
	took := followed.Sub(known)
	mu.Unlock()
	t.Logf("the engine followed within %v", took)
	if took > 100*time.Millisecond {
		t.Errorf("the engine followed only after %v", took)
	}
	for range 50 {
		if got := ask(service); got != "a" {
			t.Fatalf("got %q", got)
		}
	}
}

// followed is an engine that says when it has taken a backend out.
type followed struct {
	datapath.Engine
	down chan time.Time
}

func (f *followed) Set(ctx context.Context, services []datapath.Service) (int, error) {
	changes, err := f.Engine.Set(ctx, services)
	if err == nil && !services[0].Backends[1].Up {
		select {
		case f.down <- time.Now():
		default:
		}
	}
	return changes, err
}

func ask(address string) string {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return ""
	}
	defer conn.Close()
	answer, _ := io.ReadAll(conn)
	return string(answer)
}

func freePort(t *testing.T, address string) uint32 {
	t.Helper()
	listener, err := net.Listen("tcp", address+":0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return uint32(listener.Addr().(*net.TCPAddr).Port)
}
