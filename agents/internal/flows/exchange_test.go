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

// replica is an exchange whose engine consists of variables.
type replica struct {
	*Exchange
	mu       sync.Mutex
	whole    []datapath.Flow
	received []datapath.Flow // flows of other replicas
	learnt   []datapath.Flow
	slow     chan struct{} // nil: Settle returns at once
	listed   chan struct{} // nil: Whole returns at once
	learns   chan struct{} // nil: Learn returns at once
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
		Learn: func(flows []datapath.Flow) error {
			if r.learns != nil {
				<-r.learns
			}
			r.mu.Lock()
			defer r.mu.Unlock()
			r.learnt = append(r.learnt, flows...)
			return nil
		},
		Received: func(context.Context) ([]datapath.Flow, error) { return r.received, nil },
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

func TestAPeerThatReturnsIsReceivedAgain(t *testing.T) {
	first := newReplica(t, "127.0.0.1:0", nil, samples[0])
	address := first.Address()
	second := newReplica(t, "127.0.0.1:0", nil)
	second.SetPeers([]Peer{{"first", address}})
	until(t, "full set", second.knows(samples[0]))
	first.Close()
	newReplica(t, address, nil, samples[1])
	until(t, "full set of the peer that returned", second.knows(samples[1]))
}

func TestAPeerThatIsTooSlowReceivesAllAgain(t *testing.T) {
	first := newReplica(t, "127.0.0.1:0", nil)
	slow := newSubscriber(nil)
	first.admit(slow)
	for i := range queueMost + 1 {
		first.Send(numbered(i)) // no goroutine reads them, and Send must not block
	}
	if !slow.behind.Load() {
		t.Fatal("flows were dropped without a trace")
	}
	first.dismiss(slow)
}

// The peer's host may disappear before it can send more than a FIN.
func TestAPeerThatIsGoneIsSentNothing(t *testing.T) {
	speaker := newReplica(t, "127.0.0.1:0", nil)
	peer, err := net.Dial("tcp", speaker.Address())
	if err != nil {
		t.Fatal(err)
	}
	defer peer.Close()
	if _, err := peer.Write(appendFrame(nil, kindHello, []byte(magic))); err != nil {
		t.Fatal(err)
	}
	subscribers := func() int {
		speaker.Exchange.mu.Lock()
		defer speaker.Exchange.mu.Unlock()
		return len(speaker.subscribers)
	}
	if err := expectHello(peer); err != nil {
		t.Fatal(err)
	}
	if subscribers() != 1 {
		t.Fatal("it receives no flows")
	}
	if err := peer.(*net.TCPConn).CloseWrite(); err != nil { // its receiving side stays open
		t.Fatal(err)
	}
	until(t, "end of sending", func() bool { return subscribers() == 0 })
}

// Anonymous clients that send nothing must not block a peer.
func TestAnonymousClientsBlockNoPeer(t *testing.T) {
	first := newReplica(t, "127.0.0.1:0", nil, numbered(1))
	address := first.Address()
	ctx, cancel := context.WithCancel(t.Context())
	var anonymous, arrived sync.WaitGroup
	defer anonymous.Wait()
	defer cancel()
	for range 2 * subscribersMost {
		arrived.Add(1)
		anonymous.Go(func() {
			here := sync.OnceFunc(arrived.Done)
			for ctx.Err() == nil {
				conn, err := new(net.Dialer).DialContext(ctx, "tcp", address)
				if err != nil {
					continue
				}
				here()
				stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
				_, _ = conn.Read(make([]byte, 1)) // until the server closes it
				stop()
				_ = conn.Close()
				time.Sleep(10 * time.Millisecond)
			}
		})
	}
	arrived.Wait()
	second := newReplica(t, "127.0.0.1:0", nil)
	second.SetPeers([]Peer{{"first", first.Address()}})
	until(t, "flow from the peer", second.knows(numbered(1)))
}
