package bpf

import "github.com/cilium/ebpf"

// look reads tables once, for many flows.
type look struct {
	maps   map[string]*ebpf.Map
	names  *names
	tables map[uint32]*table
	swaps  uint64 // how often tables were replaced before
}

// look returns the current state.
func (x *Exchange) look() *look {
	swaps := x.published.swaps() // before the rest: a table that is replaced meanwhile is read again
	return &look{x.maps, x.published.names(), map[uint32]*table{}, swaps}
}

// isOutdated reports whether tables may have been replaced since.
func (l *look) isOutdated(p *published) bool { return l.swaps != p.swaps() }

// misplaced reports whether another replica would place a flow elsewhere.
func (l *look) misplaced(key flowKey, flow flowEntry) (b *name, is bool) {
	if b = l.names.keeper(flow); b == nil {
		return nil, false
	}
	t, ok := l.tables[b.table]
	if !ok {
		t = tableAt(l.maps, b.table)
		l.tables[b.table] = t
	}
	return b, t != nil && !agree(t, rowOf(key, b.seed), flow.Slot)
}
