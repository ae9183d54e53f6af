package bench

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"

	"fairlead.dev/agents/internal/balancer"
	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/bench/benchlab"
	"fairlead.dev/agents/internal/flows"
)

const (
	replicaHost = 13
	flowsPort   = 7444
)

// relay holds an engine's first packets until a replica has their connections, as the balancer does, and
// counts them. It is nil for an engine that can't hold packets.
type relay struct {
	datapath.Holder
	exchange *flows.Exchange
	held     chan datapath.Held
	count    atomic.Uint64
	stop     chan struct{}
	running  sync.WaitGroup
}

func startRelay(engine datapath.Engine, replica string) *relay {
	holder, can := engine.(datapath.Holder)
	if !can || replica == "" {
		return nil
	}
	r := &relay{Holder: holder, exchange: newExchange(replica), held: make(chan datapath.Held), stop: make(chan struct{})}
	r.running.Go(r.pass)
	r.running.Go(func() { balancer.RelayFirst(r, r.exchange, r.stop, toStderr()) })
	return r
}

// Held are the engine's held packets, counted.
func (r *relay) Held() <-chan datapath.Held { return r.held }

func (r *relay) pass() {
	for {
		select {
		case <-r.stop:
			return
		case first, more := <-r.Holder.Held():
			if !more {
				return
			}
			r.count.Add(1)
			select {
			case r.held <- first:
			case <-r.stop:
				return
			}
		}
	}
}

func (r *relay) counted() uint64 {
	if r == nil {
		return 0
	}
	return r.count.Load()
}

func (r *relay) close() {
	if r == nil {
		return
	}
	close(r.stop)
	r.running.Wait()
	r.exchange.Close()
}

// newExchange creates an exchange whose flows are discarded: only the waiting is measured.
func newExchange(peer string) *flows.Exchange {
	exchange := flows.New(flows.Options{Listen: flows.At(fmt.Sprintf(":%d", flowsPort)), Log: toStderr()}, flows.Engine{
		Whole:    func(context.Context) ([]datapath.Flow, error) { return nil, nil },
		Received: func(context.Context) ([]datapath.Flow, error) { return nil, nil },
		Learn:    func([]datapath.Flow) error { return nil },
		Settle:   func(context.Context) error { return nil },
	})
	exchange.SetPeers([]flows.Peer{{AgentID: "peer", Address: peer}})
	return exchange
}

func toStderr() *slog.Logger { return slog.New(slog.NewTextHandler(os.Stderr, nil)) }

// replicaProcess is the other replica's process. It reports when both are connected.
func replicaProcess(ctx context.Context, arguments []string) error {
	flags := flag.NewFlagSet("replica", flag.ContinueOnError)
	of := flags.String("of", "", "address and port of the first")
	if err := parse(flags, arguments); err != nil {
		return err
	}
	if _, err := netip.ParseAddrPort(*of); err != nil {
		return fmt.Errorf("--of: %w", err)
	}
	exchange := newExchange(*of)
	defer exchange.Close()
	for !exchange.ReceivedAll() {
		if err := benchlab.Pause(ctx, 20*time.Millisecond); err != nil {
			return err
		}
	}
	fmt.Println("listening")
	<-ctx.Done()
	return nil
}

// addReplica starts the engine's other replica in a pod, and waits until both are connected.
func (n *network) addReplica(ctx context.Context, of netip.Addr) error {
	space, err := n.host("replica", replicaHost)
	if err != nil {
		return err
	}
	command := exec.CommandContext(ctx, "/proc/self/exe", "replica", "--of", flowsAt(of))
	return n.startEnd(space, command)
}

func flowsAt(address netip.Addr) string { return netip.AddrPortFrom(address, flowsPort).String() }
