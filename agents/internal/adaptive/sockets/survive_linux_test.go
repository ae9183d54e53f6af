package sockets

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/adaptive/program"
	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/netspace"
)

func TestConnectionsOfAKilledApplicationAreClosed(t *testing.T) {
	engine := newEngine(t)
	set(t, engine, serviceOf(t, tcp4, "a", "b"))
	kill := start(t, application, addressOfKey(tcp4), "200")
	wantSum(t, engine, tcp4, 200)
	kill()
	wantSum(t, engine, tcp4, 0)
}

func TestTheNextAgentContinuesWithTheCountsOfAKilledOne(t *testing.T) {
	options := newOptions(t)
	service := serviceOf(t, tcp4, "a", "b")
	kill := start(t, agent, asJSON(t, options), asJSON(t, []Service{service}))
	conns := dial(t, tcp4, 3)
	kill()
	conns = append(conns, dial(t, tcp4, 2)...)
	must(t, conns[0].Close())

	next := open(t, options)
	t.Cleanup(func() { must(t, next.Remove()) })
	if changes := set(t, next, service); changes != 0 {
		t.Errorf("the next agent made %d changes", changes)
	}
	wantSum(t, next, tcp4, 4)
	chosen := uint64(0)
	for _, node := range counts(t, next, tcp4) {
		chosen += node.Chosen
	}
	if chosen != 5 {
		t.Errorf("%d connections were counted, want 5", chosen)
	}
	if got := conns[1].RemoteAddr().String(); got != addressOfKey(tcp4) {
		t.Errorf("the peer is %s", got)
	}
	closeAll(t, conns[1:])
	wantSum(t, next, tcp4, 0)
	if corrected, err := next.Reconcile(); err != nil || corrected != 0 {
		t.Errorf("%d counts were wrong (%v)", corrected, err)
	}
}

func TestNothingIsLeftAfterRemove(t *testing.T) {
	options := newOptions(t)
	engine := open(t, options)
	set(t, engine, serviceOf(t, tcp4, "a"))
	must(t, engine.Remove())
	if _, err := os.Stat(options.PinFolder); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder of pins: %v", err)
	}
	for _, hook := range hooks {
		if names, err := othersAt(options.Cgroup, hook, 0); err != nil || strings.Contains(strings.Join(names, ""), "fairlead") {
			t.Errorf("at %s: %v (%v)", hook.at, names, err)
		}
	}
}

func TestEightThousandConnectionsAtOnce(t *testing.T) {
	engine := newEngine(t)
	service := serviceOf(t, tcp4, "a", "b", "c", "d")
	set(t, engine, service)
	setCosts(t, engine, service, map[string]Cost{"a": rising(0), "b": rising(0), "c": rising(0), "d": rising(0)})
	conns := make([]net.Conn, 8000)
	var failed atomic.Int32
	var wait sync.WaitGroup
	for worker := range 16 {
		wait.Go(func() {
			for i := worker; i < len(conns); i += 16 {
				conn, err := net.Dial("tcp", addressOfKey(tcp4))
				if err != nil {
					failed.Add(1)
					continue
				}
				conns[i] = conn
			}
		})
	}
	wait.Wait()
	if n := failed.Load(); n > 0 {
		t.Fatalf("%d connects failed", n)
	}
	wantSum(t, engine, tcp4, 8000)
	for node, open := range openAt(t, engine, tcp4) {
		if open < 1500 || open > 2500 {
			t.Errorf("node %s has %d of 8000 connections", node, open)
		}
	}
	began := time.Now()
	corrected, err := engine.Reconcile()
	t.Logf("counts compared with 8000 sockets in %v", time.Since(began))
	if err != nil || corrected != 0 {
		t.Errorf("%d counts were wrong (%v)", corrected, err)
	}
	for _, conn := range conns {
		must(t, conn.(*net.TCPConn).SetLinger(0))
	}
	closeAll(t, conns)
	wantSum(t, engine, tcp4, 0)
}

func TestConnectionsToARemovedBackendContinueUntilTheyAreEnded(t *testing.T) {
	eachWayToList(t, connectionsToARemovedBackendContinueUntilTheyAreEnded)
}

func connectionsToARemovedBackendContinueUntilTheyAreEnded(t *testing.T, engine *Engine) {
	service := serviceOf(t, tcp4, "a", "b")
	set(t, engine, service)
	setCosts(t, engine, service, map[string]Cost{"a": rising(0), "b": rising(time.Hour)})
	old := dial(t, tcp4, 2)
	removed := service.Backends[0].Address
	service.Backends = service.Backends[1:]
	set(t, engine, service)
	for _, conn := range old {
		echoes(t, conn)
	}
	dial(t, tcp4, 1)
	wantOpen(t, engine, tcp4, map[string]uint64{"a": 2, "b": 1})
	for _, test := range []struct {
		protocol datapath.Protocol
		want     int
	}{{datapath.UDP, 0}, {datapath.TCP, 2}} {
		if ended, err := engine.End(endOf(removed, test.protocol)); err != nil || ended != test.want {
			t.Fatalf("%d connections of %s ended (%v)", ended, test.protocol, err)
		}
	}
	if _, err := old[0].Read(make([]byte, 1)); !errors.Is(err, unix.ECONNABORTED) {
		t.Errorf("an ended connection: %v", err)
	}
	wantOpen(t, engine, tcp4, map[string]uint64{"a": 0, "b": 1})
	set(t, engine, service)
	wantOpen(t, engine, tcp4, map[string]uint64{"b": 1})
}

func TestConnectionsInOtherNamespacesAreDistributedAndEnded(t *testing.T) {
	eachWayToList(t, connectionsInOtherNamespacesAreDistributedAndEnded)
}

func connectionsInOtherNamespacesAreDistributedAndEnded(t *testing.T, engine *Engine) {
	space, err := netspace.New(fmt.Sprintf("fairlead-sockets-%d", os.Getpid()))
	must(t, err)
	t.Cleanup(func() { must(t, space.Delete()) })
	listener, err := space.Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	defer listener.Close()
	go echoStreams(listener)
	at := netip.MustParseAddrPort(listener.Addr().String())
	set(t, engine, Service{Key: tcp4, Number: 4, Backends: []Backend{{Address: at, Node: "a", Weight: 1, Up: true}}})
	conn, err := space.Dial(t.Context(), "tcp", addressOfKey(tcp4))
	must(t, err)
	defer conn.Close()
	echoes(t, conn)
	wantOpen(t, engine, tcp4, map[string]uint64{"a": 1})
	if ended, err := engine.End(endOf(at, datapath.TCP)); err != nil || ended != 1 {
		t.Errorf("%d connections ended (%v)", ended, err)
	}
	wantOpen(t, engine, tcp4, map[string]uint64{"a": 0})
}

func TestReconcileCorrectsOnlyWrongCounts(t *testing.T) {
	eachWayToList(t, reconcileCorrectsOnlyWrongCounts)
}

func reconcileCorrectsOnlyWrongCounts(t *testing.T, engine *Engine) {
	set(t, engine, serviceOf(t, tcp4, "a"))
	dial(t, tcp4, 3)
	for _, by := range []program.SocketsCorrection{{Opened: 5}, {Closed: 2}} {
		slot := engine.names[4]["a"]
		backend := slotOfBackend(engine)
		must(t, engine.correct(program.SocketsCorrection{Place: slot, Opened: by.Opened, Closed: by.Closed}))
		must(t, engine.correct(program.SocketsCorrection{Backend: backend, Opened: by.Opened, Closed: by.Closed}))
		if corrected, err := engine.Reconcile(); err != nil || corrected != by.Opened+by.Closed {
			t.Errorf("%d counts were wrong (%v), want %d", corrected, err, by.Opened+by.Closed)
		}
		wantOpen(t, engine, tcp4, map[string]uint64{"a": 3})
	}
	stop := make(chan struct{})
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if conn, err := net.Dial("tcp", addressOfKey(tcp4)); err == nil {
					_ = conn.(*net.TCPConn).SetLinger(0)
					_ = conn.Close()
				}
			}
		})
	}
	for range 30 {
		if corrected, err := engine.Reconcile(); err != nil || corrected != 0 {
			t.Errorf("while connections begin and end, %d counts were wrong (%v)", corrected, err)
		}
	}
	close(stop)
	wait.Wait()
	wantOpen(t, engine, tcp4, map[string]uint64{"a": 3})
}

func slotOfBackend(engine *Engine) uint32 {
	for slot := range engine.state.backends {
		return slot
	}
	return 0
}

func TestABadServiceLeavesTheOthers(t *testing.T) {
	options := newOptions(t)
	engine := open(t, options)
	good, bad := serviceOf(t, tcp4, "a"), serviceOf(t, tcp6, "a")
	set(t, engine, good, bad)
	bad.Backends[0].Node = ""
	check := func(engine *Engine) {
		t.Helper()
		outcome, err := engine.Set([]Service{good, bad})
		must(t, err)
		if len(outcome.Failures) != 1 || outcome.Failures[0].Service != tcp6 || !outcome.Failures[0].Previous || outcome.Changes != 0 {
			t.Errorf("%+v", outcome)
		}
		dial(t, tcp4, 1)
		dial(t, tcp6, 1)
	}
	check(engine)
	must(t, engine.Close())
	next := open(t, options)
	t.Cleanup(func() { must(t, next.Remove()) })
	check(next)
	if outcome, err := next.Set(nil); err != nil || outcome.Changes == 0 {
		t.Errorf("%+v (%v)", outcome, err)
	}
	if _, err := net.DialTimeout("tcp", addressOfKey(tcp4), time.Second); err == nil || isRefused(err) {
		t.Errorf("a removed service: %v", err)
	}
}

// eachWayToList tests with the program that lists sockets, unless this kernel refuses it, and by netlink.
func eachWayToList(t *testing.T, test func(*testing.T, *Engine)) {
	t.Run("by a program", func(t *testing.T) { test(t, newEngine(t)) })
	t.Run("by netlink", func(t *testing.T) {
		engine := newEngine(t)
		if engine.lister != nil {
			must(t, engine.lister.Close())
			engine.lister = nil
		}
		test(t, engine)
	})
}
