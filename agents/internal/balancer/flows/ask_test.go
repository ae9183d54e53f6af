package flows

import (
	"context"
	"net"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// heardBy is a replica that others listen to, and one that does.
func heardBy(t *testing.T) (speaker, listener *replica) {
	t.Helper()
	speaker, listener = newReplica(t, "127.0.0.1:0", nil), newReplica(t, "127.0.0.1:0", nil)
	listener.slow = make(chan struct{}, 10)
	listener.slow <- struct{}{} // for the flows of the whole set,
	listener.slow <- struct{}{} // and for the word that it was whole
	listener.SetPeers([]Peer{{"speaker", speaker.Address()}})
	until(t, "listener", speaker.Listened)
	return speaker, listener
}

func TestWhoTellsFirstWaitsUntilItIsSettled(t *testing.T) {
	speaker, listener := heardBy(t)
	until(t, "whole set", func() bool { return len(listener.slow) == 0 })
	var done atomic.Int32
	speaker.TellFirst(samples[1], func() { done.Add(1) })
	until(t, "flow", listener.knows(samples[1]))
	if done.Load() != 0 {
		t.Fatal("done before packets find the flow at the peer")
	}
	began := time.Now()
	listener.slow <- struct{}{}
	until(t, "end of waiting", func() bool { return done.Load() == 1 })
	t.Logf("an answer took %v", time.Since(began))
}

func TestNobodyIsWaitedForLong(t *testing.T) {
	speaker, listener := heardBy(t)
	until(t, "whole set", func() bool { return len(listener.slow) == 0 })
	var done atomic.Int32
	finished := func() { done.Add(1) }
	speaker.TellFirst(samples[0], finished) // never settled
	speaker.TellFirst(samples[1], finished)
	until(t, "end of waiting", func() bool { return done.Load() == 2 })
	if speaker.Listened() {
		t.Error("a peer that doesn't answer is still waited for")
	}
	speaker.TellFirst(samples[2], finished)
	if done.Load() != 3 {
		t.Error("it waits for a peer that didn't answer last time")
	}
	for range 3 {
		listener.slow <- struct{}{}
	}
	until(t, "peer that answers again", speaker.Listened)
	if done.Load() != 3 {
		t.Errorf("done %d times, of 3", done.Load())
	}
}

// One late answer is of one flow: those asked after it may still be heard in time.
func TestWhoAsksLaterIsStillHeard(t *testing.T) {
	e := &Exchange{tellers: map[*teller]bool{}}
	peer := newTeller(nil)
	peer.answers, e.tellers[peer] = true, true
	var done []int
	for i := range 3 {
		e.TellFirst(numbered(i), func() { done = append(done, i) })
	}
	e.tooLong(peer.asks[0])
	if !slices.Equal(done, []int{0}) || e.Unheard() != 1 {
		t.Fatalf("%v are done and %d unheard", done, e.Unheard())
	}
	if e.TellFirst(numbered(3), func() { done = append(done, 3) }); !slices.Equal(done, []int{0, 3}) {
		t.Fatalf("%v are done, though nobody new should wait for it", done)
	}
	call(peer.answered(3))
	if !slices.Equal(done, []int{0, 3, 1, 2}) || e.Unheard() != 1 {
		t.Errorf("%v are done and %d unheard", done, e.Unheard())
	}
}

// Nothing of the flow is on its way to that peer, so its answers say nothing of it.
func TestAFlowThatFoundNoRoomIsNotCountedAsAnswered(t *testing.T) {
	e := &Exchange{tellers: map[*teller]bool{}}
	full, other := newTeller(nil), newTeller(nil)
	for _, peer := range []*teller{full, other} {
		peer.answers, e.tellers[peer] = true, true
	}
	for i := range queueMost {
		full.offer(told{Flow: numbered(i)})
	}
	done := false
	e.TellFirst(numbered(queueMost), func() { done = true })
	if len(full.asks) != 0 || !full.behind.Load() || len(full.anew) != 1 {
		t.Fatal("a peer whose queue is full is asked, or not told all anew")
	}
	if done || e.Unheard() != 1 {
		t.Fatalf("done %t, %d unheard", done, e.Unheard())
	}
	if call(other.answered(1)); !done {
		t.Error("not done when those that were asked have answered")
	}
}

func TestNewsDoNotWaitForAWholeSet(t *testing.T) {
	speaker, listener := newReplica(t, "127.0.0.1:0", nil), newReplica(t, "127.0.0.1:0", nil)
	listed := make(chan struct{})
	speaker.mu.Lock()
	speaker.whole, speaker.listed = samples[:1], listed
	speaker.mu.Unlock()
	listener.SetPeers([]Peer{{"speaker", speaker.Address()}})
	until(t, "listener", speaker.Listened)
	done := make(chan struct{})
	speaker.TellFirst(samples[1], func() { close(done) })
	<-done
	if speaker.Unheard() != 0 || !listener.knows(samples[1])() || listener.knows(samples[0])() {
		t.Errorf("%d unheard while a whole set is listed", speaker.Unheard())
	}
	close(listed)
	until(t, "whole set", listener.knows(samples[0]))
}

func TestAPeerThatGoesEndsTheWaiting(t *testing.T) {
	speaker, listener := heardBy(t)
	until(t, "whole set", func() bool { return len(listener.slow) == 0 })
	var done atomic.Bool
	began := time.Now()
	speaker.TellFirst(samples[1], func() { done.Store(true) })
	listener.Close()
	until(t, "end of waiting", done.Load)
	if took := time.Since(began); took > answerMost {
		t.Errorf("it took %v", took)
	}
	alone := false
	until(t, "nobody", func() bool { return !speaker.Listened() })
	if speaker.TellFirst(samples[1], func() { alone = true }); !alone {
		t.Error("it waits for nobody")
	}
}

// A replica of an earlier version reads on and never answers.
func TestAPeerThatKnowsNoAnswersIsNotWaitedFor(t *testing.T) {
	speaker := newReplica(t, "127.0.0.1:0", nil)
	conn, err := new(net.Dialer).DialContext(context.Background(), "tcp", speaker.Address())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.Write(appendFrame(nil, kindHello, []byte(magic))); err != nil {
		t.Fatal(err)
	}
	told := make(chan datapath.Flow, 1)
	go func() {
		for buffer := make([]byte, frameMostBytes); ; {
			k, content, err := readFrame(conn, buffer)
			if err != nil {
				return
			}
			if k != kindFlows {
				continue
			}
			if flows, err := parseFlows(content); err == nil {
				told <- flows[0]
			}
		}
	}()
	until(t, "peer", func() bool {
		speaker.Exchange.mu.Lock()
		defer speaker.Exchange.mu.Unlock()
		return len(speaker.tellers) == 1
	})
	done, aged := false, samples[1]
	aged.Age = time.Minute // which is told apart
	if speaker.TellFirst(aged, func() { done = true }); !done {
		t.Error("it is waited for")
	}
	select {
	case got := <-told:
		if got != samples[1] {
			t.Errorf("told %v", got)
		}
	case <-time.After(10 * time.Second):
		t.Error("it was told nothing")
	}
}
