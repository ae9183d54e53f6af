package flows

import (
	"context"
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
	for deadline := time.Now().Add(time.Minute); !holds(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("no %s within a minute", what)
		}
	}
}

func numbered(i int) datapath.Flow {
	one := samples[0]
	one.Client = netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}), 1000)
	return one
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
