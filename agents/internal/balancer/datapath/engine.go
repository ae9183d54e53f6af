package datapath

import (
	"context"
	"maps"
	"net/netip"
	"slices"
	"time"
)

// Engine is one way of carrying packets from service addresses to backends. One
// goroutine owns it.
type Engine interface {
	// Set makes the data path carry exactly these services, sorted by key, and
	// counts what it had to change; a second call with equal services counts
	// nothing. A failure leaves the services of before. No packet of a service
	// that stays is lost on the way.
	Set(ctx context.Context, services []Service) (changes int, err error)

	// Observe reads back what the kernel, or the proxy, really does and has counted.
	Observe(ctx context.Context) (Observed, error)

	// Remove takes the data path away and everything of it that would stay behind.
	Remove() error

	// Close lets go. Where the kernel can, traffic flows on without us, and a
	// later Set by another process takes over without losing a connection.
	Close() error
}

// FlowKeeper is an engine that can hand the few flows over that another replica
// would not place as this one did. The engine's owner calls it; only the channel
// may be read by others.
type FlowKeeper interface {
	// Misplaced delivers such flows as they are established. Bounded: a reader
	// that is too slow loses the oldest, and MisplacedNow has them all.
	Misplaced() <-chan Flow

	// MisplacedNow lists all that are alive, for a replica that begins.
	MisplacedNow(ctx context.Context) ([]Flow, error)

	// Learn remembers where other replicas placed flows, and answers those of services
	// or backends that aren't here: they may come with the next Set. Of two words about
	// one flow the younger counts, as far as the engine knows ages.
	Learn(flows []Flow) (unknown []Flow, err error)
}

// Holder is a FlowKeeper that can keep the first packet of a connection back until
// the other replicas know where the connection goes: when these would look
// elsewhere, it must not begin before. Its methods, also those of a FlowKeeper, may
// be called by anybody, and none waits for a Set.
type Holder interface {
	FlowKeeper

	// LearntNow lists what was learnt and is not over, for a replica that begins:
	// who placed it may be gone.
	LearntNow(ctx context.Context) ([]Flow, error)

	// Hold lets such packets wait from now on. It ends by itself after so long, for
	// packets must not wait for an agent that is gone. 0 ends it now.
	Hold(span time.Duration) error

	// Held delivers them. Under a flood the engine lets the rest go on at once.
	Held() <-chan Held
}

// Held is a first packet that waits. One that is never released is lost, and its
// client tries again.
type Held struct {
	Flow    Flow
	Release func() error
}

// Protocol is of layer 4, by its IP number.
type Protocol uint8

// The protocols that are carried.
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

// The ways of delivery. An engine refuses a service whose way it doesn't know.
const (
	Direct Delivery = "direct" // unchanged but for the link address; the backend owns the service address and answers the client itself
	Tunnel Delivery = "tunnel" // as direct, inside IPIP (or IP6IP6) to a backend on another network, which unwraps it
	GUE    Delivery = "gue"    // as tunnel, inside UDP of port 6080, by whose ports routers and network cards tell flows apart
	NAT    Delivery = "nat"    // both addresses rewritten, there and back
	Proxy  Delivery = "proxy"  // two connections
)

// Wraps says whether packets arrive inside others, which the backend has to unwrap.
func (d Delivery) Wraps() bool { return d == Tunnel || d == GUE }

// KeepsPacket says whether the backend gets the client's packet as it was sent: it
// answers the client itself, and any replica can send it the next packet.
func (d Delivery) KeepsPacket() bool { return d == Direct || d.Wraps() }

// Service is one service address and port with everything behind it.
type Service struct {
	Key           Key
	Delivery      Delivery
	Scheduler     string    // of IPVS; "" is the engine's own
	ProxyProtocol bool      // the client's address in front of the stream; only with Proxy
	Backends      []Backend // sorted by ID, each once
}

// Backend is one destination. What people decided and what was found out are
// kept apart.
type Backend struct {
	ID      string
	Address netip.Addr
	Port    uint16 // equals the service's where the delivery keeps the packet
	Weight  uint16 // 1 … 256
	State   State
	Up      bool

	// ServerNames are those under which TLS clients ask for it, in small letters, sorted
	// and each once. Where backends have some, clients are told apart by them; only with Proxy.
	ServerNames []string `json:",omitempty"`
}

// ByServerName says whether clients are told apart by the name that they ask for.
func (s *Service) ByServerName() bool {
	return slices.ContainsFunc(s.Backends, func(b Backend) bool { return len(b.ServerNames) > 0 })
}

// Equal compares by value.
func (s *Service) Equal(other *Service) bool {
	return s.Key == other.Key && s.Delivery == other.Delivery && s.Scheduler == other.Scheduler &&
		s.ProxyProtocol == other.ProxyProtocol && slices.EqualFunc(s.Backends, other.Backends, Backend.equal)
}

func (b Backend) equal(other Backend) bool {
	return b.ID == other.ID && b.Address == other.Address && b.Port == other.Port && b.Weight == other.Weight &&
		b.State == other.State && b.Up == other.Up && slices.Equal(b.ServerNames, other.ServerNames)
}

// State is what is wanted of a backend.
type State string

// A row of the Maglev table that changes hands keeps its old connections at the
// backend that had it. So a flow that a replica has never seen goes where the
// table of active and draining backends says, a new one where the table of
// active and filling ones says that are up.
const (
	Active   State = "active"   // new connections and old
	Draining State = "draining" // only old
	Filling  State = "filling"  // only new: it is too young to have old ones
	Inactive State = "inactive" // none, also known ones are let go
)

// Flow is one connection and where it went.
type Flow struct {
	Service Key
	Client  netip.AddrPort
	Backend string // its ID

	// Age is since its last packet; 0 is a moment ago. Who tells a flow on tells
	// its age on, so nobody keeps one alive by talking of it.
	Age time.Duration `json:",omitempty"`
}

// Observed is what a data path does.
type Observed struct {
	Services []ServiceCounts   // sorted by key, as Set was given them
	Drops    map[string]uint64 // by reason, of packets whose service can't be said
	Warnings []string          // what holds now and a person should know, a sentence each
}

// ServiceCounts counts since the service was set.
type ServiceCounts struct {
	Key      Key
	Counts   Counts
	Drops    map[string]uint64 `json:",omitempty"` // by reason
	Backends []BackendCounts   // sorted by ID
}

// AllDrops are those of all services and of none.
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
	Drops  map[string]uint64 `json:",omitempty"` // by reason, of packets that were for it; only those that there were
}

// Answers are the bytes of answers that passed on their way to clients, counted as
// Bytes are. Where they pass us by, none did.
type Answers struct {
	Bytes uint64
	Known bool // or nothing is said of them: they may be many
}

// Since is what passed since an earlier moment. A count that fell began anew.
func (a Answers) Since(before Answers) Answers {
	if a.Bytes >= before.Bytes {
		a.Bytes -= before.Bytes
	}
	a.Known = a.Known && before.Known
	return a
}

// Add is what two parts have together.
func (a Answers) Add(other Answers) Answers {
	return Answers{a.Bytes + other.Bytes, a.Known && other.Known}
}

// Counts of one service or backend. What an engine can't see stays 0, and its
// package says so.
type Counts struct {
	Packets, Bytes   uint64 // from clients
	ToClients        Answers
	Connections      uint64 // begun
	LiveConnections  uint64
	SetupNanoseconds Histogram // from a client's first packet to its second, thus about one round trip to the backend and one to the client

	// From the first bytes a client asks with to the first of the answer, or to
	// the client's acknowledgement of it where answers pass us by.
	FirstByteNanoseconds Histogram
}
