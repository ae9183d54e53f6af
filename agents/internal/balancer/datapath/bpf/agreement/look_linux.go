package agreement

import (
	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/state"
)

// Look reads tables once, for many flows.
type Look struct {
	maps   map[string]*ebpf.Map
	names  *state.Names
	tables map[uint32]*program.Table
	swaps  uint64 // how often tables were replaced before
}

// Look returns the current state.
func (x *Exchange) Look() *Look {
	swaps := x.published.Swaps() // before the rest: a table that is replaced meanwhile is read again
	return &Look{x.maps, x.published.Names(), map[uint32]*program.Table{}, swaps}
}

// IsOutdated reports whether tables may have been replaced since.
func (l *Look) IsOutdated(p *state.Published) bool { return l.swaps != p.Swaps() }

// Misplaced reports whether another replica would place a flow elsewhere.
func (l *Look) Misplaced(key program.FlowKey, flow program.FlowEntry) (b *state.NamedBackend, is bool) {
	if b = l.names.Keeper(flow); b == nil || b.Private {
		return nil, false
	}
	t, ok := l.tables[b.Table]
	if !ok {
		t = state.TableAt(l.maps, b.Table)
		l.tables[b.Table] = t
	}
	return b, t != nil && !state.Agree(t, program.RowOf(key, b.Seed), flow.Slot)
}
