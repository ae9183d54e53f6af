package agreement

import (
	"sync"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/state"
)

// Exchange has the flows that this replica announces to its peers, and those that it learns
// from them.
type Exchange struct {
	maps      map[string]*ebpf.Map
	published *state.Published
	news      *queue

	// Learning guards known flows, which must not change between a lookup and its update:
	// flows of several peers arrive concurrently.
	Learning sync.Mutex
}

// New returns one without flows to announce.
func New(maps map[string]*ebpf.Map, published *state.Published) *Exchange {
	return &Exchange{maps: maps, published: published, news: newQueue()}
}

// Misplaced delivers flows that another replica would send elsewhere.
func (x *Exchange) Misplaced() <-chan datapath.Flow { return x.news.out }

// Run delivers them until done is closed.
func (x *Exchange) Run(done <-chan struct{}) { x.news.run(done) }

// Announce queues a flow for the peers. The oldest is dropped if they are slow.
func (x *Exchange) Announce(flow datapath.Flow) { x.news.put(flow) }

// Follow announces the flows that programs report, until these events are closed.
func (x *Exchange) Follow(found *program.Events) {
	var event program.MisplacedFlow
	for found.Next(&event) {
		if b := x.published.Names().Keeper(program.FlowEntry{Slot: event.Slot, Incarnation: event.Incarnation}); b != nil {
			x.Announce(b.Flow(event.Key))
		}
	}
}
