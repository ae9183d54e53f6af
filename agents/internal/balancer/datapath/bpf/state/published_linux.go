package bpf

import "sync/atomic"

// published is what goroutines other than the loop see of the model.
type published struct {
	current atomic.Pointer[names]
	settled atomic.Pointer[names] // those of the last Set that succeeded
	swapped atomic.Uint64
}

// publish replaces the names by those of a model.
func (p *published) publish(m *model) { p.current.Store(namesOf(m)) }

// settle is called when a Set has succeeded.
func (p *published) settle() { p.settled.Store(p.current.Load()) }

// swap is called when tables may have been replaced.
func (p *published) swap() { p.swapped.Add(1) }

// swaps is how often tables may have been replaced.
func (p *published) swaps() uint64 { return p.swapped.Load() }

// names returns the backends.
func (p *published) names() *names { return p.current.Load() }

// namesNow returns the backends, and whether flows of all others may be deleted. It is
// called after a batch was read: then the names of every backend in it are known, unless
// that is gone. While a Set is in progress, or after it failed, nothing is gone for sure.
func (p *published) namesNow() (all *names, sweeps bool, now uint32) {
	all = p.current.Load()
	return all, p.settled.Load() == all, seenNow()
}
