package mesh

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/netip"
	"sync"
	"time"

	"fairlead.dev/agents/internal/adaptive/policy"
	"fairlead.dev/agents/internal/boottime"
	"fairlead.dev/agents/internal/endpoint"
)

// Port is the same on every node, so that it needs no configuration.
const Port = 7448

// Spec is what to exchange. The zero value is off.
type Spec struct {
	Self     string // the ID of this node
	Keys     Keys
	Peers    []Peer
	Services []Service
}

// Peer is another node.
type Peer struct {
	Node    string // its ID
	Address netip.AddrPort
}

// Service is one that this node needs the figures of.
type Service struct {
	ID string // the same at all nodes, such as that of its load balancer

	// Figures returns those of this node for a peer. It is called 20 times a second for each peer, and twice as often
	// for a busy service, by one goroutine, and not after Set replaced it. It must not call Set. It is nil if this node has no figures.
	Figures func(receiver string) policy.Figures

	// IsBusy reports whether Figures are also sent by PromptBusy. It is nil if they never are.
	IsBusy func() bool
}

// Options configure a mesh.
type Options struct {
	Listen func(context.Context) (netip.AddrPort, error) // the current address at which peers reach this host
	Log    *slog.Logger

	// Arrived, unless nil, is called when figures arrived, by the goroutine that receives them. It must return soon, also
	// while another goroutine calls Set.
	Arrived func()
}

// Mesh exchanges figures with all peers. Its methods may be called concurrently, but Set and Events
// only by one goroutine.
type Mesh struct {
	at          endpoint.Endpoint
	now         func() time.Duration
	incarnation uint64 // of this process

	gathering sync.Mutex // while figures are requested; locked before mu

	mu       sync.Mutex
	spec     Spec
	own      uint64           // number of this node
	links    map[string]*link // by node
	senders  map[uint64]*link // by number of the node
	numbers  []uint64         // of the services
	services map[uint64]int   // indexes by number
	rounds   rounds
	former   Counters   // of peers that were removed, and of datagrams from no peer
	parsed   []numbered // reused

	scratch []numbered // reused while gathering
	stop    func()     // nil while off

	prompted  chan struct{} // to send now
	hurried   chan struct{} // to send those of busy services now
	announced func()
}

// New returns a mesh that is off until the first Set.
func New(options Options) *Mesh {
	failed := func(err error) { options.Log.Info("figures are not exchanged with other nodes", "err", err) }
	return &Mesh{
		at:  endpoint.Endpoint{Current: options.Listen, Failed: failed},
		now: boottime.Now, incarnation: rand.Uint64() | 1, // never zero, which is none
		prompted: make(chan struct{}, 1), hurried: make(chan struct{}, 1), announced: options.Arrived,
	}
}

// Set replaces what is exchanged. Peers and services that stay keep their figures.
func (m *Mesh) Set(spec Spec) error {
	if err := check(&spec); err != nil {
		return err
	}
	m.gathering.Lock()
	m.mu.Lock()
	m.replace(spec)
	m.mu.Unlock()
	m.gathering.Unlock()
	switch on := spec.Self != ""; {
	case on && m.stop == nil:
		m.stop = m.start()
	case !on && m.stop != nil:
		m.stop()
		m.stop = nil
	}
	return nil
}

// Close stops it.
func (m *Mesh) Close() { _ = m.Set(Spec{}) } // which is valid

func check(spec *Spec) error {
	if spec.Self == "" {
		*spec = Spec{}
		return nil
	}
	if spec.Keys.Current == [KeyBytes]byte{} {
		return errors.New("figures can't be exchanged without a key of the cluster")
	}
	if len(spec.Peers) > PeersMost {
		return fmt.Errorf("%d peers to exchange figures with are too many; give at most %d", len(spec.Peers), PeersMost)
	}
	nodes, services := []string{spec.Self}, make([]string, 0, len(spec.Services))
	for _, peer := range spec.Peers {
		nodes = append(nodes, peer.Node)
	}
	for _, service := range spec.Services {
		services = append(services, service.ID)
	}
	return errors.Join(checkNumbers("node", nodes, numberOf), checkNumbers("service", services, numberOf))
}

func (m *Mesh) replace(spec Spec) {
	before, links := m.spec, make(map[string]*link, len(spec.Peers))
	numbers, services := make([]uint64, len(spec.Services)), make(map[uint64]int, len(spec.Services))
	for i, service := range spec.Services {
		numbers[i] = numberOf(service.ID)
		services[numbers[i]] = i
	}
	senders, order := make(map[uint64]*link, len(spec.Peers)), make([]*link, 0, len(spec.Peers))
	for _, peer := range spec.Peers {
		one := m.links[peer.Node]
		if one == nil || before.Self != spec.Self {
			one = &link{since: m.now()}
		}
		one.Peer, one.at = peer, net.UDPAddrFromAddrPort(peer.Address)
		one.out = newSigner(spec.Keys.Current, spec.Self, peer.Node)
		one.in = [2]*signer{
			newSigner(spec.Keys.Current, peer.Node, spec.Self), newSigner(spec.Keys.Previous, peer.Node, spec.Self),
		}
		one.received = moved(one.received, m.numbers, services)
		links[peer.Node], senders[numberOf(peer.Node)] = one, one
		order = append(order, one)
	}
	for node, one := range m.links {
		if links[node] != one {
			m.former.add(one)
		}
	}
	m.spec, m.own = spec, numberOf(spec.Self)
	m.links, m.senders, m.numbers, m.services = links, senders, numbers, services
	m.rounds.start(order)
}

// moved returns what was received in the order that the services have now.
func moved(before []received, numbers []uint64, services map[uint64]int) []received {
	now := make([]received, len(services))
	for i, one := range before {
		if at, stays := services[numbers[i]]; stays {
			now[at] = one
		}
	}
	return now
}

func (m *Mesh) start() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		m.at.Run(ctx, exchange{m})
	}()
	return func() {
		cancel()
		<-done
	}
}

// Address returns host:port where peers reach it, or "" if they can't.
func (m *Mesh) Address() string { return m.at.Address() }

// Trouble returns why the kernel doesn't let it listen, or "".
func (m *Mesh) Trouble() string { return m.at.Trouble() }

// Latest appends the figures of a node that are at most 3 s old, in the order of the spec's services.
func (m *Mesh) Latest(into []Received, node string) []Received {
	m.mu.Lock()
	defer m.mu.Unlock()
	if one := m.links[node]; one != nil {
		return one.latest(into, m.spec.Services, m.now())
	}
	return into
}
