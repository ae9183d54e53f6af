package walk

import (
	"errors"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

var webService = datapath.Key{Address: netip.MustParseAddr("192.0.2.1"), Port: 80, Protocol: datapath.TCP}

func TestTheCountOfLiveConnectionsIsUnknownUntilTheFirstWalkIsOver(t *testing.T) {
	w := New(nil, nil, nil)
	w.Request(false)
	first, began := w.begin(), time.Now()
	w.takesLong(Result{Connections: 1})
	if found := w.Newest(time.Now()); found.Connections != 1 || !found.CountedAt().IsZero() {
		t.Errorf("during the first walk %d are found, from %v", found.Connections, found.CountedAt())
	}
	w.end(first, Result{Connections: 2, ended: began.Add(3 * time.Second), took: 3 * time.Second}, nil)
	w.slow = true // so that nothing waits for the next one
	if found := w.Newest(began); found.Connections != 2 || !found.CountedAt().Equal(began) {
		t.Errorf("after it %d are found, from %v, want %v", found.Connections, found.CountedAt(), began)
	}
}

func TestAWalkInProgressBeginsWithWhatAChangeMisplaced(t *testing.T) {
	w := New(nil, nil, nil)
	w.Request(false)
	current := w.begin()
	next := w.Announce(map[datapath.Key]bool{webService: true})
	if !w.announces(current)[webService] || !w.announces(next)[webService] || next == current {
		t.Errorf("the walk in progress announces %v, the next one %v", current.moved, next.moved)
	}
	if w.begin() != next {
		t.Error("the next walk isn't the requested one")
	}
	w.end(next, Result{}, errClosed)
	if again := w.begin(); again == nil || !again.moved[webService] {
		t.Error("what a failed walk didn't announce is forgotten")
	}
}

func TestAFailedWalkIsRepeatedSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, failed := New(nil, nil, nil), time.Now()
		w.Announce(map[datapath.Key]bool{webService: true})
		<-w.wake
		w.end(w.begin(), Result{}, errors.New("the table can't be read"))
		<-w.wake
		if after := time.Since(failed); after != walkAgainAfter || w.begin() == nil {
			t.Errorf("after %v", after)
		}
	})
}
