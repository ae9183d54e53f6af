package echo

import (
	"cmp"
	"context"
	"crypto/sha256"
	"log/slog"
	"net/netip"
	"slices"
	"sync"
	"time"

	"fairlead.dev/agents/internal/endpoint"
)

const every = time.Second

// Spec is what to measure. The zero value is off.
type Spec struct {
	Self  string // the ID of this agent
	Peers []Peer // sorted by agent ID
}

// Equal compares by value.
func (s Spec) Equal(other Spec) bool {
	return s.Self == other.Self && slices.Equal(s.Peers, other.Peers)
}

// Peer is another node's agent.
type Peer struct {
	Agent, Node string // IDs
	Address     netip.AddrPort
}

// RoundTrip is the shortest of the last ten seconds.
type RoundTrip struct {
	Node string
	Time time.Duration
}

// Options configure a meter.
type Options struct {
	Listen func(context.Context) (netip.AddrPort, error) // the current address at which peers reach this host
	Log    *slog.Logger
}

// Meter measures round trips to peers, and returns theirs. A nil Meter does neither.
type Meter struct {
	at endpoint.Endpoint

	mu      sync.Mutex
	self    [sha256.Size]byte
	targets []*target // replaced as a whole
	sources map[netip.AddrPort]*source
	stop    func() // nil while off
}

// NewMeter returns a meter that is off until the first Set.
func NewMeter(options Options) *Meter {
	return &Meter{at: endpoint.Endpoint{Current: options.Listen, Failed: func(err error) {
		options.Log.Info("round trips to other nodes are not measured", "err", err)
	}}}
}

// Set replaces what is measured. Peers that stay keep their round trips.
func (m *Meter) Set(spec Spec) {
	if m == nil {
		return
	}
	m.mu.Lock()
	m.setPeers(spec.Peers)
	m.self = sha256.Sum256([]byte(spec.Self))
	stop := m.stop
	switch {
	case spec.Self == "":
		m.stop = nil
	case stop == nil:
		m.stop, stop = m.start(), nil
	default:
		stop = nil // it runs already
	}
	m.mu.Unlock()
	if stop != nil {
		stop()
	}
}

func (m *Meter) setPeers(peers []Peer) {
	targets, sources := make([]*target, 0, len(peers)), make(map[netip.AddrPort]*source, len(peers))
	for _, peer := range peers {
		at := slices.IndexFunc(m.targets, func(known *target) bool { return known.Peer == peer })
		one := &target{Peer: peer, to: sha256.Sum256([]byte(peer.Agent))}
		if at >= 0 {
			one = m.targets[at]
		}
		targets = append(targets, one)
		from := sources[peer.Address]
		if from == nil {
			from = &source{}
			sources[peer.Address] = from
		}
		from.targets = append(from.targets, one)
	}
	m.targets, m.sources = targets, sources
}

// Close stops it.
func (m *Meter) Close() { m.Set(Spec{}) }

func (m *Meter) start() (stop func()) {
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
func (m *Meter) Address() string {
	if m == nil {
		return ""
	}
	return m.at.Address()
}

// Trouble returns why the kernel doesn't let it listen, or "".
func (m *Meter) Trouble() string {
	if m == nil {
		return ""
	}
	return m.at.Trouble()
}

// RoundTrips returns those of all peers that replied within the last ten seconds, sorted by node.
func (m *Meter) RoundTrips() (all []RoundTrip) {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	for _, peer := range m.targets {
		if least := peer.measured.least(now); least > 0 {
			all = append(all, RoundTrip{Node: peer.Node, Time: least})
		}
	}
	slices.SortFunc(all, func(a, b RoundTrip) int { return cmp.Compare(a.Node, b.Node) })
	return all
}
