package datapath

import (
	"cmp"
	"slices"

	"fairlead.dev/agents/internal/balancer/maglev"
)

// Keeps reports whether a backend keeps its flows. Datagrams have no connection to lose:
// they leave a backend that is down if another one takes them.
func (s *Service) Keeps(b Backend) bool {
	if b.State == Inactive {
		return false
	}
	return s.Key.Protocol != UDP || b.Up || !slices.ContainsFunc(s.Backends, takes)
}

func takes(b Backend) bool { return b.Up && (b.State == Active || b.State == Filling) }

// Settled returns the members of the table for existing connections: backends that may
// have old ones, whether they are up or not. A replica uses this table for a connection
// that it has never seen.
func Settled(backends []Backend) []maglev.Member {
	return members(backends, func(b Backend) bool { return b.State == Active || b.State == Draining })
}

// Fresh returns the members of the table for new connections.
func Fresh(backends []Backend) []maglev.Member {
	return members(backends, takes)
}

// Coming returns the possible next members of the settled table: when filling backends
// have filled, draining ones have drained, or both. It returns none when that changes
// nothing. A connection that one of these tables would place elsewhere is sent to the
// other replicas when the change begins, not when it ends: the replica that knows it may
// be gone by then.
func Coming(backends []Backend) (all [][]maglev.Member) {
	settled := Settled(backends)
	for _, over := range [][]State{{Active, Filling}, {Active, Filling, Draining}, {Active}} {
		coming := members(backends, func(b Backend) bool { return slices.Contains(over, b.State) })
		same := func(other []maglev.Member) bool { return slices.Equal(coming, other) }
		if !same(settled) && !slices.ContainsFunc(all, same) {
			all = append(all, coming)
		}
	}
	return all
}

// ComingFirst returns members of intermediate settled tables on the way to Coming, if
// more than one backend fills or drains: these end one after the other, and each
// intermediate table moves a few rows temporarily between backends that stay. Filling
// backends are assumed to end in the order of since, draining ones in any order; at most
// most tables are returned.
func ComingFirst(backends []Backend, since func(at int) uint32, most int) (all [][]maglev.Member) {
	var filling, draining []int
	for i, backend := range backends {
		switch backend.State {
		case Filling:
			filling = append(filling, i)
		case Draining:
			draining = append(draining, i)
		}
	}
	then := slices.Clone(backends)
	add := func() {
		if len(all) < most {
			all = append(all, Settled(then))
		}
	}
	if len(draining) > 1 {
		for _, i := range draining {
			then[i].State = Inactive
			add()
			then[i].State = Draining
		}
	}
	slices.SortStableFunc(filling, func(a, b int) int { return cmp.Compare(since(a), since(b)) })
	for _, i := range filling[:max(0, len(filling)-1)] { // with the last one it equals Coming
		then[i].State = Active
		add()
	}
	return all
}

// members keeps the order by ID of backends, so that a table's index refers to one of
// these.
func members(backends []Backend, belongs func(Backend) bool) []maglev.Member {
	chosen := make([]maglev.Member, 0, len(backends))
	for _, backend := range backends {
		if belongs(backend) {
			chosen = append(chosen, maglev.Member{ID: backend.ID, Weight: backend.Weight})
		}
	}
	return chosen
}
