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
	waitForPeers = 4 * time.Second  // that a replica may take before it is ready without those that tell nothing,
	waitForWhole = 30 * time.Second // and without having heard all of those that do

	// greetingsMost bounds how many may be asked at once who they are: anybody may knock.
	greetingsMost = 1024

	// tellersMost bounds how many peers may listen to one replica.
	tellersMost = 256
)

// Peer is a replica to hear from.
type Peer struct {
	AgentID string
	Address string // host:port
}

// Options are what an exchange needs of its host.
type Options struct {
	Listen   func() (string, error)    // host:port where peers may fetch flows, as it is now
	Identity func() (*Identity, error) // nil: in the clear, for a network of replicas alone
	Log      *slog.Logger
}

// At is a place to listen at that stays.
func At(address string) func() (string, error) {
	return func() (string, error) { return address, nil }
}

// Engine is what flows come from and go to. All may be called from several
// goroutines at once.
type Engine struct {
	Whole  func(context.Context) ([]datapath.Flow, error) // all that another replica would place elsewhere
	Heard  func(context.Context) ([]datapath.Flow, error) // what was learnt, for one that begins: who placed it may be gone
	Learn  func([]datapath.Flow) error                    // may only take note
	Settle func(context.Context) error                    // waits until packets find what was learnt before
}

// Exchange hears from peers and tells them.
type Exchange struct {
	options Options
	engine  Engine
	ctx     context.Context
	cancel  context.CancelFunc
	work    sync.WaitGroup

	mu      sync.Mutex
	hearers map[Peer]*hearer
	awaited []*hearer // the peers that this replica began with
	begun   time.Time // when it was told of them; zero before
	tellers map[*teller]bool
	asked   uint64        // the number of the newest ask
	unheard uint64        // asks that were given up
	back    chan struct{} // closed when a peer has come to listen, and replaced
	address string        // where it listens; empty while it can't
	trouble string        // why it can't
}

// New starts to listen. It always succeeds: where it can't listen it tries
// again, and says so by Trouble.
func New(options Options, engine Engine) *Exchange {
	ctx, cancel := context.WithCancel(context.Background())
	e := &Exchange{
		options: options, engine: engine, ctx: ctx, cancel: cancel,
		hearers: map[Peer]*hearer{}, tellers: map[*teller]bool{}, back: make(chan struct{}),
	}
	e.work.Go(e.listen)
	return e
}

// SetPeers hears from exactly these from now on, but never from itself.
func (e *Exchange) SetPeers(peers []Peer) {
	e.mu.Lock()
	defer e.mu.Unlock()
	wanted := make(map[Peer]bool, len(peers))
	own, _ := e.options.Listen()
	for _, peer := range peers {
		if peer.Address == own || peer.Address == e.address {
			continue // a list of all replicas has this one, too
		}
		wanted[peer] = true
		if e.hearers[peer] == nil && e.ctx.Err() == nil {
			e.hearers[peer] = e.hear(peer)
		}
	}
	for peer, h := range e.hearers {
		if !wanted[peer] {
			h.cancel()
			delete(e.hearers, peer)
		}
	}
	if e.begun.IsZero() {
		e.await()
	}
}

// Await is for a replica whose first peers may have been those of long ago: it
// begins with those of now.
func (e *Exchange) Await() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.await()
}

func (e *Exchange) await() {
	e.begun, e.awaited = time.Now(), slices.Collect(maps.Values(e.hearers))
}

// Tell hands a flow to every peer that listens. It never waits: one that can't
// keep up hears everything anew.
func (e *Exchange) Tell(flow datapath.Flow) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for t := range e.tellers {
		t.offer(told{Flow: flow})
	}
}

// HeardAll says whether this replica knows what the peers knew that it began
// with, and as many listen to it, or it has waited long enough for those that don't. One that is added
// later counts nowhere: it has nothing to tell yet, and if each replica waited for
// it, all would be unready at once.
func (e *Exchange) HeardAll() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	heard, waited := 0, time.Since(e.begun)
	for _, h := range e.awaited {
		switch {
		case e.hearers[h.peer] != h:
		case h.heard.Load():
			heard++
		case waited < waitForPeers || h.tells.Load() && waited < waitForWhole:
			return false
		}
	}
	return waited >= waitForPeers || e.listeners() >= heard
}

// listeners are the peers that say what they have settled.
func (e *Exchange) listeners() (count int) {
	for t := range e.tellers {
		if t.answers {
			count++
		}
	}
	return count
}

// cameBack lets hearers try at once: a peer that listens again can be heard again,
// and will soon have connections that nobody else knows.
func (e *Exchange) cameBack() {
	e.mu.Lock()
	defer e.mu.Unlock()
	close(e.back)
	e.back = make(chan struct{})
}

func (e *Exchange) comesBack() <-chan struct{} {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.back
}

// Address is where peers may fetch flows; empty while they can't.
func (e *Exchange) Address() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.address
}

// Trouble is why peers can't fetch flows; empty when they can.
func (e *Exchange) Trouble() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.trouble
}

// Close ends all connections and waits for what it started.
func (e *Exchange) Close() {
	e.cancel()
	e.work.Wait()
}

// trusts says whether an agent is one of the peers.
func (e *Exchange) trusts(agentID string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	for peer := range e.hearers {
		if peer.AgentID == agentID {
			return true
		}
	}
	return false
}
