package flows

import (
	"fmt"
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

func TestANewReplicaReceivesAllFlowsAndThenUpdates(t *testing.T) {
	var all []datapath.Flow
	for i := range 20_000 { // many frames
		all = append(all, numbered(i))
	}
	first := newReplica(t, "127.0.0.1:0", nil, all...)
	first.listed = make(chan struct{})
	second := newReplica(t, "127.0.0.1:0", nil)
	second.SetPeers([]Peer{{"first", first.Address()}})
	if second.ReceivedAll() {
		t.Fatal("complete before the peer sent anything")
	}
	close(first.listed)
	until(t, "full set", second.ReceivedAll)
	second.mu.Lock()
	if !slices.Equal(second.learnt, all) {
		t.Errorf("learnt %d flows of %d", len(second.learnt), len(all))
	}
	second.mu.Unlock()
	began := time.Now()
	first.Send(samples[1])
	until(t, "update", second.knows(samples[1]))
	t.Logf("the update took %v", time.Since(began))
}

func TestAReplicaStopsWaitingForASilentPeer(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0") // accepts connections and sends nothing
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	r := newReplica(t, "127.0.0.1:0", nil)
	began := time.Now()
	r.SetPeers([]Peer{{"silent", listener.Addr().String()}})
	until(t, "end of waiting", r.ReceivedAll)
	if waited := time.Since(began); waited < waitForPeers || waited > 2*waitForPeers {
		t.Errorf("waited %v", waited)
	}
}

// A busy host may take long to install all flows.
func TestAReplicaWaitsForAPeerThatIsSending(t *testing.T) {
	first := newReplica(t, "127.0.0.1:0", nil, samples...)
	first.listed = make(chan struct{})
	second := newReplica(t, "127.0.0.1:0", nil)
	second.SetPeers([]Peer{{"first", first.Address()}})
	for began := time.Now(); time.Since(began) < waitForPeers+time.Second; time.Sleep(10 * time.Millisecond) {
		if second.ReceivedAll() {
			t.Fatalf("ready after %v, while the peer still lists its flows", time.Since(began))
		}
	}
	close(first.listed)
	until(t, "full set", second.ReceivedAll)
	if !second.knows(samples[0])() {
		t.Error("it has not learnt the peer's flow")
	}
}

func TestAPeerThatIsAddedLaterIsNotWaitedFor(t *testing.T) {
	first := newReplica(t, "127.0.0.1:0", nil)
	r := newReplica(t, "127.0.0.1:0", nil)
	began := []Peer{{"first", first.Address()}}
	r.SetPeers(began)
	until(t, "full set", r.ReceivedAll)
	added := newReplica(t, "127.0.0.1:0", nil, samples[0])
	r.SetPeers(append(began, Peer{"added", added.Address()}, Peer{"absent", "127.0.0.1:1"}))
	if !r.ReceivedAll() {
		t.Fatal("a serving replica waits for a new one")
	}
	until(t, "flow of the one that was added", r.knows(samples[0]))
}

func TestAListOfPeersThatKeepsChangingDoesNotExtendTheWait(t *testing.T) {
	r := newReplica(t, "127.0.0.1:0", nil)
	began := time.Now()
	r.SetPeers([]Peer{{"absent", "127.0.0.1:1"}})
	turn := 0
	until(t, "end of waiting", func() bool {
		turn++
		r.SetPeers([]Peer{{fmt.Sprintf("absent-%d", turn%7), "127.0.0.1:1"}, {"absent", "127.0.0.1:1"}})
		return r.ReceivedAll()
	})
	if waited := time.Since(began); waited < waitForPeers || waited > 2*waitForPeers {
		t.Errorf("waited %v", waited)
	}
}

func TestANewReplicaReceivesFlowsOfReplicasThatAreGone(t *testing.T) {
	first := newReplica(t, "127.0.0.1:0", nil, samples[0])
	gone := samples[1]
	gone.Age = 7 * time.Minute // which must not be reset
	first.received = []datapath.Flow{gone}
	second := newReplica(t, "127.0.0.1:0", nil)
	second.SetPeers([]Peer{{"first", first.Address()}})
	until(t, "full set", second.ReceivedAll)
	if !second.knows(samples[0])() || !second.knows(gone)() {
		t.Fatal("ready without a flow that only a former peer knew")
	}
}

func TestAReplicaIsCompleteOnlyWhenFlowsAreInstalled(t *testing.T) {
	first := newReplica(t, "127.0.0.1:0", nil, samples[0])
	second := newReplica(t, "127.0.0.1:0", nil)
	second.slow = make(chan struct{})
	second.SetPeers([]Peer{{"first", first.Address()}})
	until(t, "flow", second.knows(samples[0]))
	if second.ReceivedAll() {
		t.Fatal("ready before the data path uses the learnt flows")
	}
	close(second.slow)
	until(t, "full set", second.ReceivedAll)
}

// Installing a full set takes long, and connections are established meanwhile.
func TestAReplicaIsCompleteWhenItHasTheUpdatesSentMeanwhile(t *testing.T) {
	first := newReplica(t, "127.0.0.1:0", nil, samples[0])
	second := newReplica(t, "127.0.0.1:0", nil)
	second.learns = make(chan struct{})
	learn := sync.OnceFunc(func() { close(second.learns) })
	t.Cleanup(learn)
	first.SetPeers([]Peer{{"second", second.Address()}})
	second.SetPeers([]Peer{{"first", first.Address()}})
	until(t, "listeners", func() bool { return first.HasSubscribers() && second.HasSubscribers() })
	time.Sleep(100 * time.Millisecond) // the set is sent, and its end marked, unless the sender waits
	first.Send(samples[1])
	second.learns <- struct{}{}
	until(t, "flow of the set", second.knows(samples[0]))
	for range 20 {
		if second.ReceivedAll() {
			t.Fatal("ready before it had learnt the updates sent during the full set")
		}
		time.Sleep(10 * time.Millisecond)
	}
	learn()
	until(t, "full set", second.ReceivedAll)
	if !second.knows(samples[1])() {
		t.Error("ready without the update sent meanwhile")
	}
}
