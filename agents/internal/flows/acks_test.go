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

// subscribed returns a replica and another one that subscribes to it.
func subscribed(t *testing.T) (speaker, listener *replica) {
	t.Helper()
	speaker, listener = newReplica(t, "127.0.0.1:0", nil), newReplica(t, "127.0.0.1:0", nil)
	listener.slow = make(chan struct{}, 10)
	listener.slow <- struct{}{} // for the flows of the full set,
	listener.slow <- struct{}{} // and for the frame that marks its end
	listener.SetPeers([]Peer{{"speaker", speaker.Address()}})
	until(t, "listener", speaker.HasSubscribers)
	return speaker, listener
}

func TestAFlowIsDoneWhenThePeerHasAcknowledgedIt(t *testing.T) {
	speaker, listener := subscribed(t)
	until(t, "full set", func() bool { return len(listener.slow) == 0 })
	var done atomic.Int32
	speaker.SendAcked(samples[1], func() { done.Add(1) })
	until(t, "flow", listener.knows(samples[1]))
	if done.Load() != 0 {
		t.Fatal("done before the peer's data path uses the flow")
	}
	began := time.Now()
	listener.slow <- struct{}{}
	until(t, "end of waiting", func() bool { return done.Load() == 1 })
	t.Logf("an acknowledgement took %v", time.Since(began))
}

func TestWaitingForAPeerIsBounded(t *testing.T) {
	speaker, listener := subscribed(t)
	until(t, "full set", func() bool { return len(listener.slow) == 0 })
	var done atomic.Int32
	finished := func() { done.Add(1) }
	speaker.SendAcked(samples[0], finished) // never settled
	speaker.SendAcked(samples[1], finished)
	until(t, "end of waiting", func() bool { return done.Load() == 2 })
	if speaker.HasSubscribers() {
		t.Error("a peer that doesn't acknowledge is still waited for")
	}
	speaker.SendAcked(samples[2], finished)
	if done.Load() != 3 {
		t.Error("it waits for a peer that timed out last time")
	}
	for range 3 {
		listener.slow <- struct{}{}
	}
	until(t, "peer that acknowledges again", speaker.HasSubscribers)
	if done.Load() != 3 {
		t.Errorf("done %d times, of 3", done.Load())
	}
}

// A late acknowledgement affects one flow: those sent after it may still be acknowledged
// in time.
func TestALaterFlowMayStillBeAcknowledged(t *testing.T) {
	e := &Exchange{subscribers: map[*subscriber]bool{}}
	peer := newSubscriber(nil)
	peer.acks, e.subscribers[peer] = true, true
	var done []int
	for i := range 3 {
		e.SendAcked(numbered(i), func() { done = append(done, i) })
	}
	e.expire(peer.pending[0])
	if !slices.Equal(done, []int{0}) || e.Unacked() != 1 {
		t.Fatalf("%v are done and %d unacked", done, e.Unacked())
	}
	if e.SendAcked(numbered(3), func() { done = append(done, 3) }); !slices.Equal(done, []int{0, 3}) {
		t.Fatalf("%v are done, though no new flow should wait for it", done)
	}
	call(peer.acknowledge(3))
	if !slices.Equal(done, []int{0, 3, 1, 2}) || e.Unacked() != 1 {
		t.Errorf("%v are done and %d unacked", done, e.Unacked())
	}
}

// The flow isn't in that peer's queue, so its acknowledgements don't cover the flow.
func TestAFlowThatFoundNoRoomIsNotCountedAsAcknowledged(t *testing.T) {
	e := &Exchange{subscribers: map[*subscriber]bool{}}
	full, other := newSubscriber(nil), newSubscriber(nil)
	for _, peer := range []*subscriber{full, other} {
		peer.acks, e.subscribers[peer] = true, true
	}
	for i := range queueMost {
		full.offer(queuedFlow{Flow: numbered(i)})
	}
	done := false
	e.SendAcked(numbered(queueMost), func() { done = true })
	if len(full.pending) != 0 || !full.behind.Load() || len(full.resend) != 1 {
		t.Fatal("a peer whose queue is full is waited for, or isn't sent the full set again")
	}
	if done || e.Unacked() != 1 {
		t.Fatalf("done %t, %d unacked", done, e.Unacked())
	}
	if call(other.acknowledge(1)); !done {
		t.Error("not done when all peers have acknowledged")
	}
}

func TestUpdatesDoNotWaitForAFullSet(t *testing.T) {
	speaker, listener := newReplica(t, "127.0.0.1:0", nil), newReplica(t, "127.0.0.1:0", nil)
	listed := make(chan struct{})
	speaker.mu.Lock()
	speaker.whole, speaker.listed = samples[:1], listed
	speaker.mu.Unlock()
	listener.SetPeers([]Peer{{"speaker", speaker.Address()}})
	until(t, "listener", speaker.HasSubscribers)
	done := make(chan struct{})
	speaker.SendAcked(samples[1], func() { close(done) })
	<-done
	if speaker.Unacked() != 0 || !listener.knows(samples[1])() || listener.knows(samples[0])() {
		t.Errorf("%d unacked while a full set is listed", speaker.Unacked())
	}
	close(listed)
	until(t, "full set", listener.knows(samples[0]))
}

func TestAPeerThatDisconnectsEndsTheWaiting(t *testing.T) {
	speaker, listener := subscribed(t)
	until(t, "full set", func() bool { return len(listener.slow) == 0 })
	var done atomic.Bool
	began := time.Now()
	speaker.SendAcked(samples[1], func() { done.Store(true) })
	listener.Close()
	until(t, "end of waiting", done.Load)
	if took := time.Since(began); took > ackTimeout {
		t.Errorf("it took %v", took)
	}
	alone := false
	until(t, "loss of the listener", func() bool { return !speaker.HasSubscribers() })
	if speaker.SendAcked(samples[1], func() { alone = true }); !alone {
		t.Error("it waits without any peer")
	}
}

// A replica of an earlier version keeps reading and never acknowledges.
func TestAPeerWithoutAcknowledgementsIsNotWaitedFor(t *testing.T) {
	speaker := newReplica(t, "127.0.0.1:0", nil)
	conn, err := new(net.Dialer).DialContext(context.Background(), "tcp", speaker.Address())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.Write(appendFrame(nil, kindHello, []byte(magic))); err != nil {
		t.Fatal(err)
	}
	received := make(chan datapath.Flow, 1)
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
				received <- flows[0]
			}
		}
	}()
	until(t, "peer", func() bool {
		speaker.Exchange.mu.Lock()
		defer speaker.Exchange.mu.Unlock()
		return len(speaker.subscribers) == 1
	})
	done, aged := false, samples[1]
	aged.Age = time.Minute // which goes in a frame of its own
	if speaker.SendAcked(aged, func() { done = true }); !done {
		t.Error("it is waited for")
	}
	select {
	case got := <-received:
		if got != samples[1] {
			t.Errorf("received %v", got)
		}
	case <-time.After(10 * time.Second):
		t.Error("it received nothing")
	}
}
