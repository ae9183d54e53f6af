package bpf

import (
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// stuckWalk returns an engine with a large table, while a walk of it can't go on.
func stuckWalk(t *testing.T) (e *Engine, goOn func()) {
	t.Helper()
	e = openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, tcpService())
	know(t, e, program.TcxMapConnections, clientFlow(1000, "a", 0), 0)
	if found := e.walker.Await(e.walker.Request(false)); !found.Complete || found.Connections != 1 {
		t.Fatalf("found %+v", found)
	}
	know(t, e, program.TcxMapConnections, clientFlow(2000, "a", time.Hour), program.TcxFlowFlagsCLOSING) // which walks keep for peers
	e.walker.NeverAwait()
	e.exchange.Learning.Lock()
	e.walker.Request(false)
	return e, e.exchange.Learning.Unlock
}

func TestNothingOnTheLoopWaitsForALongWalk(t *testing.T) {
	e, goOn := stuckWalk(t)
	stuck := time.Now()
	done := make(chan uint64, 1)
	go func() {
		set(t, e, tcpService(inState("b", datapath.Filling))) // its flows are to be announced
		set(t, e, tcpService(inState("b", datapath.Inactive)))
		observed, err := e.Observe(t.Context())
		if err != nil {
			t.Error(err)
			close(done)
			return
		}
		if observed.LiveAt.IsZero() || observed.LiveAt.After(stuck) {
			t.Errorf("the live connections are from %v, want the time of the last walk, before %v", observed.LiveAt, stuck)
		}
		done <- observed.Services[0].Counts.LiveConnections
	}()
	select {
	case live := <-done:
		if live != 1 {
			t.Errorf("%d live connections are reported, want the one of the last walk", live)
		}
	case <-time.After(10 * time.Second):
		t.Error("the loop waits")
	}
	goOn()
}

func TestPeersGetAWalkThatStartsAfterTheirRequest(t *testing.T) {
	e, goOn := stuckWalk(t)
	set(t, e, tcpService(inState("a", datapath.Filling)))
	type answer struct {
		flows []datapath.Flow
		err   error
	}
	answers := make(chan answer, 3)
	for range 3 {
		go func() {
			flows, err := e.MisplacedNow(t.Context())
			answers <- answer{flows, err}
		}()
	}
	goOn()
	for range 3 {
		if got := <-answers; got.err != nil || len(got.flows) != 1 || got.flows[0].Client.Port() != 1000 {
			t.Errorf("misplaced %v (%v), want the one live flow", got.flows, got.err)
		}
	}
}

func TestFlowsOfRemovedServicesAreDeleted(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	other := newService(service4.Next(), 80, datapath.TCP, datapath.Direct)
	set(t, e, tcpService(), other)
	for port, name := range map[uint16]string{1000: program.TcxMapConnections, 2000: program.TcxMapHalfOpen, 3000: program.TcxMapLearnt} {
		know(t, e, name, clientFlow(port, "a", 0), 0)
	}
	set(t, e, other)
	for _, name := range []string{program.TcxMapConnections, program.TcxMapHalfOpen, program.TcxMapLearnt} {
		if n := entries(t, e, name); n != 0 {
			t.Errorf("%d left in %s", n, name)
		}
	}
}

// A change uses all processors, so a long walk rests until it is over, but not for ever.
func TestALongWalkGivesWayToAChange(t *testing.T) {
	e, _ := crowded(t, TCX, 40_000, datapath.Active)
	walked := func() <-chan time.Time {
		ended := make(chan time.Time, 1)
		go func() {
			if _, err := e.MisplacedNow(t.Context()); err != nil {
				t.Error(err)
			}
			ended <- time.Now()
		}()
		return ended
	}
	began, over := time.Now(), e.walker.GiveWay()
	ended := walked()
	time.Sleep(300 * time.Millisecond) // a walk takes a tenth of it
	changed := time.Now()
	over()
	if at := <-ended; at.Before(changed) && at.Sub(began) < 900*time.Millisecond { // it rests for a second
		t.Errorf("the walk ended %v before the change", changed.Sub(at))
	}
	defer e.walker.GiveWay()()
	select {
	case <-walked():
	case <-time.After(30 * time.Second):
		t.Error("a walk waits for ever while changes are applied")
	}
}
