package userspace

import (
	"net/netip"
	"sync"
	"sync/atomic"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// backend is one destination of one service with its connections.
type backend struct {
	id      string
	address netip.AddrPort
	counter counter
	lost    atomic.Uint64 // clients lost because it could not be reached

	mu     sync.Mutex
	flows  map[flow]struct{}
	closed bool // takes no connection, not even one in progress
}

// flow is a connection or session that can be dropped.
type flow interface{ abort() }

// take adds a connection; false if the backend was removed meanwhile.
func (b *backend) take(f flow) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return false
	}
	b.flows[f] = struct{}{}
	return true
}

func (b *backend) forget(f flow) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.flows, f)
}

func (b *backend) keep(keeps bool) {
	if !keeps {
		b.letGo()
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = false
}

// letGo ends all connections.
func (b *backend) letGo() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	for f := range b.flows {
		f.abort()
	}
}

// counter is safe for concurrent use.
type counter struct {
	packets, bytes, connections, live, toClients atomic.Uint64
	setup, firstByte                             histogram
}

type histogram [len(datapath.Histogram{})]atomic.Uint64

func (h *histogram) add(nanoseconds int64) {
	var one datapath.Histogram
	one.Add(uint64(max(nanoseconds, 0)))
	for i, count := range one {
		if count != 0 {
			h[i].Add(1)
			return
		}
	}
}

func (h *histogram) read() (all datapath.Histogram) {
	for i := range h {
		all[i] = h[i].Load()
	}
	return all
}

func (c *counter) read() datapath.Counts {
	return datapath.Counts{
		Packets: c.packets.Load(), Bytes: c.bytes.Load(), Connections: c.connections.Load(), LiveConnections: c.live.Load(),
		ToClients:        datapath.Answers{Bytes: c.toClients.Load(), Known: true},
		SetupNanoseconds: c.setup.read(), FirstByteNanoseconds: c.firstByte.read(),
	}
}

// both are the counters of a connection: service and backend.
type both [2]*counter

func (b both) begin(setupNanoseconds int64) {
	for _, c := range b {
		c.connections.Add(1)
		c.live.Add(1)
		if setupNanoseconds >= 0 {
			c.setup.add(setupNanoseconds)
		}
	}
}

func (b both) end() {
	for _, c := range b {
		c.live.Add(^uint64(0))
	}
}

// received counts one read as one packet, including headers, so that engines can be
// compared.
func (b both) received(bytes, headers int) {
	for _, c := range b {
		c.packets.Add(1)
		c.bytes.Add(uint64(bytes + headers))
	}
}

// sent counts data to a client, in the same way.
func (b both) sent(bytes, headers int) {
	for _, c := range b {
		c.toClients.Add(uint64(bytes + headers))
	}
}

func (b both) answered(nanoseconds int64) {
	for _, c := range b {
		c.firstByte.add(nanoseconds)
	}
}
