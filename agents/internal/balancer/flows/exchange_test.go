package flows

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// replica is an exchange whose engine is two variables.
type replica struct {
	*Exchange
	mu     sync.Mutex
	whole  []datapath.Flow
	heard  []datapath.Flow // of others
	learnt []datapath.Flow
	slow   chan struct{} // nil: what is learnt is settled at once
	listed chan struct{} // nil: the whole set is listed at once
	learns chan struct{} // nil: what is told is learnt at once
}

func newReplica(t *testing.T, listen string, identity func() (*Identity, error), whole ...datapath.Flow) *replica {
	t.Helper()
	r := &replica{whole: whole}
	r.Exchange = New(Options{Listen: At(listen), Identity: identity, Log: slog.New(slog.DiscardHandler)}, Engine{
		Whole: func(ctx context.Context) ([]datapath.Flow, error) {
			r.mu.Lock()
			whole, listed := slices.Clone(r.whole), r.listed
			r.mu.Unlock()
			if listed != nil {
				select {
				case <-listed:
				case <-ctx.Done():
				}
			}
			return whole, nil
		},
		Learn: func(told []datapath.Flow) error {
			if r.learns != nil {
				<-r.learns
			}
			r.mu.Lock()
			defer r.mu.Unlock()
			r.learnt = append(r.learnt, told...)
			return nil
		},
		Heard: func(context.Context) ([]datapath.Flow, error) { return r.heard, nil },
		Settle: func(ctx context.Context) error {
			if r.slow == nil {
				return nil
			}
			select {
			case <-r.slow:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		},
	})
	t.Cleanup(r.Close)
	until(t, "an address", func() bool { return r.Address() != "" })
	return r
}

func (r *replica) knows(flow datapath.Flow) func() bool {
	return func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return slices.Contains(r.learnt, flow)
	}
}

func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !holds(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("no %s within 10 s", what)
		}
	}
}

func numbered(i int) datapath.Flow {
	one := samples[0]
	one.Client = netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}), 1000)
	return one
}

func TestAReplicaThatBeginsHearsAllAndThenTheNews(t *testing.T) {
	var all []datapath.Flow
	for i := range 20_000 { // many frames
		all = append(all, numbered(i))
	}
	first := newReplica(t, "127.0.0.1:0", nil, all...)
	second := newReplica(t, "127.0.0.1:0", nil)
	second.SetPeers([]Peer{{"first", first.Address()}})
	if second.HeardAll() {
		t.Fatal("heard before anybody spoke")
	}
	until(t, "whole set", second.HeardAll)
	second.mu.Lock()
	if !slices.Equal(second.learnt, all) {
		t.Errorf("learnt %d flows of %d", len(second.learnt), len(all))
	}
	second.mu.Unlock()
	began := time.Now()
	first.Tell(samples[1])
	until(t, "news", second.knows(samples[1]))
	t.Logf("news took %v", time.Since(began))
}

func TestAPeerThatComesBackIsHeardAgain(t *testing.T) {
	first := newReplica(t, "127.0.0.1:0", nil, samples[0])
	address := first.Address()
	second := newReplica(t, "127.0.0.1:0", nil)
	second.SetPeers([]Peer{{"first", address}})
	until(t, "whole set", second.knows(samples[0]))
	first.Close()
	newReplica(t, address, nil, samples[1])
	until(t, "whole set of the one that came back", second.knows(samples[1]))
}

func TestAReplicaWaitsForASilentPeerNotForEver(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0") // takes connections and says nothing
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	r := newReplica(t, "127.0.0.1:0", nil)
	began := time.Now()
	r.SetPeers([]Peer{{"silent", listener.Addr().String()}})
	until(t, "end of waiting", r.HeardAll)
	if waited := time.Since(began); waited < waitForPeers || waited > 2*waitForPeers {
		t.Errorf("waited %v", waited)
	}
}

// A busy host may take long to learn all.
func TestAReplicaWaitsForAPeerThatTells(t *testing.T) {
	first := newReplica(t, "127.0.0.1:0", nil, samples...)
	first.listed = make(chan struct{})
	second := newReplica(t, "127.0.0.1:0", nil)
	second.SetPeers([]Peer{{"first", first.Address()}})
	for began := time.Now(); time.Since(began) < waitForPeers+time.Second; time.Sleep(10 * time.Millisecond) {
		if second.HeardAll() {
			t.Fatalf("ready after %v, while the peer still lists what it has", time.Since(began))
		}
	}
	close(first.listed)
	until(t, "whole set", second.HeardAll)
	if !second.knows(samples[0])() {
		t.Error("it has not learnt what the peer told")
	}
}

func TestAPeerThatIsAddedLaterIsNotWaitedFor(t *testing.T) {
	first := newReplica(t, "127.0.0.1:0", nil)
	r := newReplica(t, "127.0.0.1:0", nil)
	began := []Peer{{"first", first.Address()}}
	r.SetPeers(began)
	until(t, "whole set", r.HeardAll)
	added := newReplica(t, "127.0.0.1:0", nil, samples[0])
	r.SetPeers(append(began, Peer{"added", added.Address()}, Peer{"absent", "127.0.0.1:1"}))
	if !r.HeardAll() {
		t.Fatal("a replica that works waits for one that begins")
	}
	until(t, "flow of the one that was added", r.knows(samples[0]))
}

func TestAListOfPeersThatKeepsChangingMakesNobodyWaitLonger(t *testing.T) {
	r := newReplica(t, "127.0.0.1:0", nil)
	began := time.Now()
	r.SetPeers([]Peer{{"absent", "127.0.0.1:1"}})
	turn := 0
	until(t, "end of waiting", func() bool {
		turn++
		r.SetPeers([]Peer{{fmt.Sprintf("absent-%d", turn%7), "127.0.0.1:1"}, {"absent", "127.0.0.1:1"}})
		return r.HeardAll()
	})
	if waited := time.Since(began); waited < waitForPeers || waited > 2*waitForPeers {
		t.Errorf("waited %v", waited)
	}
}

func TestAReplicaThatBeginsHearsOfThoseThatAreGone(t *testing.T) {
	first := newReplica(t, "127.0.0.1:0", nil, samples[0])
	gone := samples[1]
	gone.Age = 7 * time.Minute // which must not begin anew
	first.heard = []datapath.Flow{gone}
	second := newReplica(t, "127.0.0.1:0", nil)
	second.SetPeers([]Peer{{"first", first.Address()}})
	until(t, "whole set", second.HeardAll)
	if !second.knows(samples[0])() || !second.knows(gone)() {
		t.Fatal("ready without what only a peer of before knew")
	}
}

func TestWhatIsHeardButNotSettledIsNotHeard(t *testing.T) {
	first := newReplica(t, "127.0.0.1:0", nil, samples[0])
	second := newReplica(t, "127.0.0.1:0", nil)
	second.slow = make(chan struct{})
	second.SetPeers([]Peer{{"first", first.Address()}})
	until(t, "flow", second.knows(samples[0]))
	if second.HeardAll() {
		t.Fatal("ready before packets find what was learnt")
	}
	close(second.slow)
	until(t, "whole set", second.HeardAll)
}

// A set takes long to learn, and connections begin meanwhile.
func TestAReplicaHasHeardAllWhenItHasHeardWhatCameMeanwhile(t *testing.T) {
	first := newReplica(t, "127.0.0.1:0", nil, samples[0])
	second := newReplica(t, "127.0.0.1:0", nil)
	second.learns = make(chan struct{})
	learn := sync.OnceFunc(func() { close(second.learns) })
	t.Cleanup(learn)
	first.SetPeers([]Peer{{"second", second.Address()}})
	second.SetPeers([]Peer{{"first", first.Address()}})
	until(t, "listeners", func() bool { return first.Listened() && second.Listened() })
	time.Sleep(100 * time.Millisecond) // the set is told, and said to be whole if nobody waits
	first.Tell(samples[1])
	second.learns <- struct{}{}
	until(t, "flow of the set", second.knows(samples[0]))
	for range 20 {
		if second.HeardAll() {
			t.Fatal("ready before it had learnt what came while it learnt the set")
		}
		time.Sleep(10 * time.Millisecond)
	}
	learn()
	until(t, "whole set", second.HeardAll)
	if !second.knows(samples[1])() {
		t.Error("ready without what came meanwhile")
	}
}

func TestAPeerThatIsTooSlowHearsAllAnew(t *testing.T) {
	first := newReplica(t, "127.0.0.1:0", nil)
	slow := newTeller(nil)
	first.admit(slow)
	for i := range queueMost + 1 {
		first.Tell(numbered(i)) // nobody takes them, and Tell must not wait
	}
	if !slow.behind.Load() {
		t.Fatal("flows were left out and nobody knows")
	}
	first.dismiss(slow)
}

// Its host may be gone before it could say more than that it is over.
func TestAPeerThatIsGoneIsNotTalkedTo(t *testing.T) {
	speaker := newReplica(t, "127.0.0.1:0", nil)
	peer, err := net.Dial("tcp", speaker.Address())
	if err != nil {
		t.Fatal(err)
	}
	defer peer.Close()
	if _, err := peer.Write(appendFrame(nil, kindHello, []byte(magic))); err != nil {
		t.Fatal(err)
	}
	tellers := func() int {
		speaker.Exchange.mu.Lock()
		defer speaker.Exchange.mu.Unlock()
		return len(speaker.tellers)
	}
	if err := expectHello(peer); err != nil {
		t.Fatal(err)
	}
	if tellers() != 1 {
		t.Fatal("nobody talks to it")
	}
	if err := peer.(*net.TCPConn).CloseWrite(); err != nil { // its end of what it hears stays open
		t.Fatal(err)
	}
	until(t, "end of talking", func() bool { return tellers() == 0 })
}

// Strangers who say nothing are no reason not to talk to a peer.
func TestStrangersShutNoPeerOut(t *testing.T) {
	first := newReplica(t, "127.0.0.1:0", nil, numbered(1))
	address := first.Address()
	ctx, cancel := context.WithCancel(t.Context())
	var strangers, arrived sync.WaitGroup
	defer strangers.Wait()
	defer cancel()
	for range 2 * tellersMost {
		arrived.Add(1)
		strangers.Go(func() {
			here := sync.OnceFunc(arrived.Done)
			for ctx.Err() == nil {
				conn, err := new(net.Dialer).DialContext(ctx, "tcp", address)
				if err != nil {
					continue
				}
				here()
				stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
				_, _ = conn.Read(make([]byte, 1)) // until it is sent away
				stop()
				_ = conn.Close()
				time.Sleep(10 * time.Millisecond)
			}
		})
	}
	arrived.Wait()
	second := newReplica(t, "127.0.0.1:0", nil)
	second.SetPeers([]Peer{{"first", first.Address()}})
	until(t, "word from the peer", second.knows(numbered(1)))
}
