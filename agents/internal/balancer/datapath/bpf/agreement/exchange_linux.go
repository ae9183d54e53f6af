package bpf

import (
	"sync"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// Exchange has the flows that this replica announces to its peers, and those that it learns
// from them.
type Exchange struct {
	maps      map[string]*ebpf.Map
	published *published
	news      *queue

	// learning guards known flows, which must not change between a lookup and its update:
	// flows of several peers arrive concurrently.
	learning sync.Mutex
}

// newExchange returns one without flows to announce.
func newExchange(maps map[string]*ebpf.Map, published *published) *Exchange {
	return &Exchange{maps: maps, published: published, news: newQueue()}
}

// misplaced delivers flows that another replica would send elsewhere.
func (x *Exchange) misplaced() <-chan datapath.Flow { return x.news.out }

// run delivers them until done is closed.
func (x *Exchange) run(done <-chan struct{}) { x.news.run(done) }

// announce queues a flow for the peers. The oldest is dropped if they are slow.
func (x *Exchange) announce(flow datapath.Flow) { x.news.put(flow) }

// follow announces the flows that programs report, until these events are closed.
func (x *Exchange) follow(found *events) {
	var event misplacedFlow
	for found.next(&event) {
		if b := x.published.names().keeper(flowEntry{Slot: event.Slot, Incarnation: event.Incarnation}); b != nil {
			x.announce(b.flow(event.Key))
		}
	}
}
