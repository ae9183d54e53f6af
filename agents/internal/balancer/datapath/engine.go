package datapath

import (
	"context"
	"maps"
	"net/netip"
	"slices"
	"time"
)

// Engine is one way of carrying packets from service addresses to backends. One goroutine
// owns it.
type Engine interface {
	// Set makes the data path carry exactly these services, sorted by key, and returns
	// the number of changes; a second call with equal services returns 0. A service or
	// backend that can't be set is a failure, and everything else is set: the service
	// stays as it was set before, and the backend counts as down. The next Set tries it
	// again. After an error the previous services are carried. No packet of a service
	// that stays is lost meanwhile.
	Set(ctx context.Context, services []Service) (Outcome, error)

	// Observe reads the actual state and counts from the kernel or the proxy.
	Observe(ctx context.Context) (Observed, error)

	// Remove removes the data path and all its state.
	Remove() error

	// Close releases the engine. Where the kernel carries traffic it continues without
	// the process, and a later Set by another process takes over without losing a
	// connection.
	Close() error
}

// FlowKeeper is an engine that can hand over the few flows that another replica would
// place elsewhere. Only the engine's owner calls its methods; any goroutine may read the
// channel.
type FlowKeeper interface {
	// Misplaced delivers such flows as they are established. It is bounded: a slow reader
	// loses the oldest, and MisplacedNow has them all.
	Misplaced() <-chan Flow

	// MisplacedNow returns all live ones, for a replica that starts.
	MisplacedNow(ctx context.Context) ([]Flow, error)

	// Learn stores where other replicas placed flows, and returns those of unknown
	// services or backends: they may be added by the next Set. Of two entries for one
	// flow the younger counts, if the engine stores ages.
	Learn(flows []Flow) (unknown []Flow, err error)
}

// Holder is a FlowKeeper that can hold the first packet of a connection until the other
// replicas know where the connection goes: if they would place it elsewhere, it must not
// start before. Its methods, including those of FlowKeeper, may be called from any
// goroutine, and none waits for a Set.
type Holder interface {
	FlowKeeper

	// LearntNow returns live learnt flows, for a replica that starts: the replica that
	// placed them may be gone.
	LearntNow(ctx context.Context) ([]Flow, error)

	// Hold holds such packets from now on. It ends by itself after span, because packets
	// must not wait for an agent that is gone. 0 ends it now.
	Hold(span time.Duration) error

	// Held delivers held packets. Under a flood the engine forwards the rest at once.
	Held() <-chan Held
}

// Held is a held first packet. One that is never released is lost, and its client
// retries.
type Held struct {
	Flow    Flow
	Release func() error
}

// Protocol is a layer 4 protocol, by its IP number.
type Protocol uint8

// The supported protocols.
const (
	TCP Protocol = 6
	UDP Protocol = 17
)

// Key is what clients connect to.
type Key struct {
	Address  netip.Addr
	Port     uint16
	Protocol Protocol
}

// Delivery is how a packet reaches its backend.
type Delivery string

// The deliveries. An engine rejects a service whose delivery it doesn't support.
const (
	Direct Delivery = "direct" // unchanged except for the link address; the backend owns the service address and replies to the client itself (DSR)
	Tunnel Delivery = "tunnel" // as direct, inside IPIP (or IP6IP6) to a backend on another network, which unwraps it
	GUE    Delivery = "gue"    // as tunnel, inside UDP to port 6080; its source port lets routers and network cards distinguish flows
	NAT    Delivery = "nat"    // both addresses rewritten, there and back
	Proxy  Delivery = "proxy"  // two connections
)

// Wraps reports whether packets are encapsulated, so that the backend has to unwrap them.
func (d Delivery) Wraps() bool { return d == Tunnel || d == GUE }

// KeepsPacket reports whether the backend gets the client's packet as it was sent: it
// replies to the client itself, and any replica can send it the next packet.
func (d Delivery) KeepsPacket() bool { return d == Direct || d.Wraps() }

// Service is one service address and port with everything behind it.
type Service struct {
	Key           Key
	Delivery      Delivery
	Scheduler     string    // of IPVS; "" is the engine's own
	Chooser       Chooser   `json:",omitempty"`
	ProxyProtocol bool      // sends the client's address before the stream; only with Proxy
	Backends      []Backend // sorted by ID, each once
}

// Backend is one destination. The wanted state and the observed health are separate.
type Backend struct {
	ID      string
	Address netip.Addr
	Port    uint16 // equals the service's if the delivery keeps the packet
	Weight  uint16 // 1 … 256; 0 is standby, where backends are chosen by cost
	State   State
	Up      bool

	// Elsewhere is a backend of another cluster. It is [Draining] here: replicas only keep its
	// connections, and are no more ready because of it.
	Elsewhere bool `json:",omitempty"`

	// ServerNames are the TLS server names of this backend, in lower case, sorted,
	// without duplicates. If backends have some, clients are routed by them; only with
	// Proxy.
	ServerNames []string `json:",omitempty"`
}

// ByServerName reports whether clients are routed by the server name they request.
func (s *Service) ByServerName() bool {
	return slices.ContainsFunc(s.Backends, func(b Backend) bool { return len(b.ServerNames) > 0 })
}

// Equal compares by value.
func (s *Service) Equal(other *Service) bool {
	return s.Key == other.Key && s.Delivery == other.Delivery && s.Scheduler == other.Scheduler && s.Chooser == other.Chooser &&
		s.ProxyProtocol == other.ProxyProtocol && slices.EqualFunc(s.Backends, other.Backends, Backend.equal)
}

func (b Backend) equal(other Backend) bool {
	return b.ID == other.ID && b.Address == other.Address && b.Port == other.Port && b.Weight == other.Weight &&
		b.State == other.State && b.Up == other.Up && slices.Equal(b.ServerNames, other.ServerNames)
}

// State is the wanted state of a backend.
type State string

// When a row of the Maglev table moves, its old connections stay at the previous backend.
// So a connection that a replica has never seen goes by the table of active and draining
// backends, a new one by the table of active and filling backends that are up.
const (
	Active   State = "active"   // new connections and old
	Draining State = "draining" // only old
	Filling  State = "filling"  // only new: it has no old ones yet
	Inactive State = "inactive" // none; existing connections are dropped
)

// Flow is one connection and its backend.
type Flow struct {
	Service Key
	Client  netip.AddrPort
	Backend string // its ID

	// Age is the time since its last packet; 0 is a moment ago. A replica that forwards a
	// flow adds to its age, so that forwarding doesn't keep a flow alive.
	Age time.Duration `json:",omitempty"`
}

// Observed is the observed state of a data path.
type Observed struct {
	Services []ServiceCounts   // sorted by key, as passed to Set
	LiveAt   time.Time         // when the count of live connections began; zero while it isn't complete
	Drops    map[string]uint64 // by reason, of packets without a known service
	Warnings []string          // current problems for an operator, a sentence each
}

// ServiceCounts counts since the service was set.
type ServiceCounts struct {
	Key      Key
	Counts   Counts
	Drops    map[string]uint64 `json:",omitempty"` // by reason
	Backends []BackendCounts   // sorted by ID
}

// AllDrops returns the drops of all services and of packets without a service.
func (o Observed) AllDrops() map[string]uint64 {
	all := maps.Clone(o.Drops)
	for _, service := range o.Services {
		for reason, count := range service.Drops {
			all[reason] += count
		}
	}
	return all
}

// BackendCounts counts since the backend was set.
type BackendCounts struct {
	ID     string
	Counts Counts
	Drops  map[string]uint64 `json:",omitempty"` // by reason, of packets for it; only reasons that occurred
}

// Answers are the bytes of replies that passed on their way to clients, counted as Bytes
// are. If replies bypass the engine, they are 0.
type Answers struct {
	Bytes uint64
	Known bool // if false, Bytes is not counted
}

// Since returns the increase since an earlier moment. A lower count means that it
// restarted from 0.
func (a Answers) Since(before Answers) Answers {
	if a.Bytes >= before.Bytes {
		a.Bytes -= before.Bytes
	}
	a.Known = a.Known && before.Known
	return a
}

// Add returns the sum of two parts.
func (a Answers) Add(other Answers) Answers {
	return Answers{a.Bytes + other.Bytes, a.Known && other.Known}
}

// Counts of one service or backend. What an engine can't see stays 0, and its package
// documents that.
type Counts struct {
	Packets, Bytes   uint64 // from clients
	ToClients        Answers
	Connections      uint64 // new connections
	LiveConnections  uint64
	SetupNanoseconds Histogram // from a client's first packet to its second, so about one round trip to the backend and one to the client

	// From a client's first request bytes to the first of the reply, or to the client's
	// acknowledgement of it if replies bypass the engine.
	FirstByteNanoseconds Histogram
}
