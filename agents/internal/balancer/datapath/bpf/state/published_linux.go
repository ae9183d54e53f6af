package state

import (
	"sync/atomic"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// Published is what goroutines other than the loop see of the model.
type Published struct {
	current atomic.Pointer[Names]
	settled atomic.Pointer[Names] // those of the last Set that succeeded
	swapped atomic.Uint64
}

// Publish replaces the names by those of a model.
func (p *Published) Publish(m *Model) { p.current.Store(namesOf(m)) }

// Settle is called when a Set has succeeded.
func (p *Published) Settle() { p.settled.Store(p.current.Load()) }

// Swap is called when tables may have been replaced.
func (p *Published) Swap() { p.swapped.Add(1) }

// Swaps is how often tables may have been replaced.
func (p *Published) Swaps() uint64 { return p.swapped.Load() }

// Names returns the backends.
func (p *Published) Names() *Names { return p.current.Load() }

// NamesNow returns the backends, and whether flows of all others may be deleted. It is
// called after a batch was read: then the names of every backend in it are known, unless
// that is gone. While a Set is in progress, or after it failed, nothing is gone for sure.
func (p *Published) NamesNow() (all *Names, sweeps bool, now uint32) {
	all = p.current.Load()
	return all, p.settled.Load() == all, program.SeenNow()
}
