package flows

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

const (
	aliveEvery   = time.Second
	silenceMost  = 5 * time.Second
	wholeEvery   = 15 * time.Second
	dialMost     = 2 * time.Second
	retryLeast   = 100 * time.Millisecond
	retryMost    = 2 * time.Second
	waitForPeers = 4 * time.Second  // how long a replica waits for peers that send nothing before it is ready,
	waitForWhole = 30 * time.Second // and for the full set of peers that do

	// handshakesMost bounds concurrent handshakes: any host can connect.
	handshakesMost = 1024

	// subscribersMost bounds how many peers may subscribe to one replica.
	subscribersMost = 256
)

// Peer is a replica to receive flows from.
type Peer struct {
	AgentID string
	Address string // host:port
}

// Options configure an exchange.
type Options struct {
	Listen   func() (string, error)    // current host:port where peers may fetch flows
	Identity func() (*Identity, error) // nil: no TLS, for a network that only replicas can access
	Log      *slog.Logger
}

// At returns a fixed listen address.
func At(address string) func() (string, error) {
	return func() (string, error) { return address, nil }
}

// Engine is the source and the sink of flows. All functions may be called from several
// goroutines at once.
type Engine struct {
	Whole    func(context.Context) ([]datapath.Flow, error) // all flows that another replica would place elsewhere
	Received func(context.Context) ([]datapath.Flow, error) // flows learnt from peers, for a replica that starts: the replica that placed them may be gone
	Learn    func([]datapath.Flow) error                    // may only queue them
	Settle   func(context.Context) error                    // waits until the data path uses all flows learnt before
}

// Exchange receives flows from peers and sends them flows.
type Exchange struct {
	options Options
	engine  Engine
	ctx     context.Context
	cancel  context.CancelFunc
	work    sync.WaitGroup

	mu            sync.Mutex
	subscriptions map[Peer]*subscription
	awaited       []*subscription // the peers at the start of this replica
	begun         time.Time       // when they were set; zero before
	subscribers   map[*subscriber]bool
	scopes        Scopes        // replaced as a whole
	lastNumber    uint64        // the number of the newest flow to acknowledge
	unacked       uint64        // flows that were not acknowledged in time
	back          chan struct{} // closed and replaced when a peer subscribes
	address       string        // where it listens; empty if it can't
	trouble       string        // why it can't
}

// New starts to listen. It always succeeds: when it can't listen it retries, and Trouble
// reports why.
func New(options Options, engine Engine) *Exchange {
	ctx, cancel := context.WithCancel(context.Background())
	e := &Exchange{
		options: options, engine: engine, ctx: ctx, cancel: cancel,
		subscriptions: map[Peer]*subscription{}, subscribers: map[*subscriber]bool{}, back: make(chan struct{}),
	}
	e.work.Go(e.listen)
	return e
}

// SetPeers replaces the set of peers to receive from. It skips this replica itself.
func (e *Exchange) SetPeers(peers []Peer) {
	e.mu.Lock()
	defer e.mu.Unlock()
	wanted := make(map[Peer]bool, len(peers))
	own, _ := e.options.Listen()
	for _, peer := range peers {
		if peer.Address == own || peer.Address == e.address {
			continue // a list of all replicas includes this one
		}
		wanted[peer] = true
		if e.subscriptions[peer] == nil && e.ctx.Err() == nil {
			e.subscriptions[peer] = e.subscribe(peer)
		}
	}
	for peer, h := range e.subscriptions {
		if !wanted[peer] {
			h.cancel()
			delete(e.subscriptions, peer)
		}
	}
	if e.begun.IsZero() {
		e.await()
	}
}

// Await waits for the current peers. It is for a replica whose first peers came from an
// outdated config.
func (e *Exchange) Await() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.await()
}

func (e *Exchange) await() {
	e.begun, e.awaited = time.Now(), slices.Collect(maps.Values(e.subscriptions))
}

// Send sends a flow to every connected peer that carries its service. It never blocks: a peer that can't keep up
// receives the full set again.
func (e *Exchange) Send(flow datapath.Flow) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for t := range e.subscribers {
		if e.scopes.shares(flow.Service, t.agentID) {
			t.offer(queuedFlow{Flow: flow})
		}
	}
}

// ReceivedAll reports whether this replica has received all flows of the peers it started
// with, and as many peers subscribe to it, or the waiting times are over. Peers that are
// added later don't count: they have no flows yet, and if each replica waited for them,
// all would be unready at once.
func (e *Exchange) ReceivedAll() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	received, waited := 0, time.Since(e.begun)
	for _, h := range e.awaited {
		switch {
		case e.subscriptions[h.peer] != h:
		case h.complete.Load():
			received++
		case waited < waitForPeers || h.sending.Load() && waited < waitForWhole:
			return false
		}
	}
	return waited >= waitForPeers || e.listeners() >= received
}

// listeners counts the peers that acknowledge flows.
func (e *Exchange) listeners() (count int) {
	for t := range e.subscribers {
		if t.acks {
			count++
		}
	}
	return count
}

// peerReturned triggers an immediate retry of all subscriptions: a peer that subscribes
// again can be reached again, and soon has connections that no other replica knows.
func (e *Exchange) peerReturned() {
	e.mu.Lock()
	defer e.mu.Unlock()
	close(e.back)
	e.back = make(chan struct{})
}

func (e *Exchange) returned() <-chan struct{} {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.back
}

// Address returns where peers may fetch flows, or "" if they can't.
func (e *Exchange) Address() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.address
}

// Trouble returns why peers can't fetch flows, or "" if they can.
func (e *Exchange) Trouble() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.trouble
}

// Close ends all connections and waits for all goroutines.
func (e *Exchange) Close() {
	e.cancel()
	e.work.Wait()
}

// trusts reports whether an agent is one of the peers.
func (e *Exchange) trusts(agentID string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	for peer := range e.subscriptions {
		if peer.AgentID == agentID {
			return true
		}
	}
	return false
}
