package bpf

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// stuckWalk returns an engine with a large table, while a walk of it can't go on.
func stuckWalk(t *testing.T) (e *Engine, goOn func()) {
	t.Helper()
	e = openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, tcpService())
	know(t, e, TcxMapConnections, clientFlow(1000, "a", 0), 0)
	if found := e.walker.await(e.walker.request(false)); !found.complete || found.connections != 1 {
		t.Fatalf("found %+v", found)
	}
	know(t, e, TcxMapConnections, clientFlow(2000, "a", time.Hour), TcxFlowFlagsCLOSING) // which walks keep for peers
	e.walker.mutex.Lock()
	e.walker.slow = true
	e.walker.mutex.Unlock()
	e.learning.Lock()
	e.walker.request(false)
	return e, e.learning.Unlock
}

func TestNothingOnTheLoopWaitsForALongWalk(t *testing.T) {
	e, goOn := stuckWalk(t)
	stuck := time.Now()
	done := make(chan uint64, 1)
	go func() {
		set(t, e, tcpService(state("b", datapath.Filling))) // its flows are to be announced
		set(t, e, tcpService(state("b", datapath.Inactive)))
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

func TestTheCountOfLiveConnectionsIsUnknownUntilTheFirstWalkIsOver(t *testing.T) {
	w := newWalker()
	w.request(false)
	first, began := w.begin(), time.Now()
	w.takesLong(walked{connections: 1})
	if found := w.newest(time.Now()); found.connections != 1 || !found.countedAt().IsZero() {
		t.Errorf("during the first walk %d are found, from %v", found.connections, found.countedAt())
	}
	w.end(first, walked{connections: 2, ended: began.Add(3 * time.Second), took: 3 * time.Second}, nil)
	w.slow = true // so that nothing waits for the next one
	if found := w.newest(began); found.connections != 2 || !found.countedAt().Equal(began) {
		t.Errorf("after it %d are found, from %v, want %v", found.connections, found.countedAt(), began)
	}
}

func TestPeersGetAWalkThatStartsAfterTheirRequest(t *testing.T) {
	e, goOn := stuckWalk(t)
	set(t, e, tcpService(state("a", datapath.Filling)))
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

func TestAWalkInProgressBeginsWithWhatAChangeMisplaced(t *testing.T) {
	w := newWalker()
	w.request(false)
	current := w.begin()
	key := tcpService().Key
	next := w.announce(map[datapath.Key]bool{key: true})
	if !w.announces(current)[key] || !w.announces(next)[key] || next == current {
		t.Errorf("the walk in progress announces %v, the next one %v", current.moved, next.moved)
	}
	if w.begin() != next {
		t.Error("the next walk isn't the requested one")
	}
	w.end(next, walked{}, errClosed)
	if again := w.begin(); again == nil || !again.moved[key] {
		t.Error("what a failed walk didn't announce is forgotten")
	}
}

func TestAFailedWalkIsRepeatedSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, failed := newWalker(), time.Now()
		w.announce(map[datapath.Key]bool{tcpService().Key: true})
		<-w.wake
		w.end(w.begin(), walked{}, errors.New("the table can't be read"))
		<-w.wake
		if after := time.Since(failed); after != walkAgainAfter || w.begin() == nil {
			t.Errorf("after %v", after)
		}
	})
}

func TestFlowsOfRemovedServicesAreDeleted(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	other := newService(service4.Next(), 80, datapath.TCP, datapath.Direct)
	set(t, e, tcpService(), other)
	for port, name := range map[uint16]string{1000: TcxMapConnections, 2000: TcxMapHalfOpen, 3000: TcxMapLearnt} {
		know(t, e, name, clientFlow(port, "a", 0), 0)
	}
	set(t, e, other)
	for _, name := range []string{TcxMapConnections, TcxMapHalfOpen, TcxMapLearnt} {
		if n := entries(t, e, name); n != 0 {
			t.Errorf("%d left in %s", n, name)
		}
	}
}
