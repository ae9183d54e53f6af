package datapath

import (
	"cmp"
	"slices"

	"fairlead.dev/agents/internal/balancer/maglev"
)

// Keeps says whether a backend keeps the flows that it has. Datagrams have no connection
// to lose: they leave one that is down, where another one takes them.
func (s *Service) Keeps(b Backend) bool {
	if b.State == Inactive {
		return false
	}
	return s.Key.Protocol != UDP || b.Up || !slices.ContainsFunc(s.Backends, takes)
}

func takes(b Backend) bool { return b.Up && (b.State == Active || b.State == Filling) }

// Settled are the members of the table that says where connections that began
// before are: backends that may have old ones, whether they are up or not. A
// replica that meets a connection it has never seen asks this table.
func Settled(backends []Backend) []maglev.Member {
	return members(backends, func(b Backend) bool { return b.State == Active || b.State == Draining })
}

// Fresh are the members of the table that says where new connections go.
func Fresh(backends []Backend) []maglev.Member {
	return members(backends, takes)
}

// Coming are the members that may be settled when something of what is under way
// is over: what fills has filled, what drains has drained, or both. None when that
// changes nothing. A connection that is placed elsewhere than one of these tables
// says is told to the other replicas in good time, when the change begins and not
// when it ends: who knows it may be gone by then.
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

// ComingFirst are the members that may be settled on the way to what is Coming, where
// more than one backend fills or drains: these end one after the other, and each table
// between moves a few rows from one backend that stays to another, for a while. What
// fills is taken to end in the order of since, and what drains in any; not more than
// most are returned.
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
	for _, i := range filling[:max(0, len(filling)-1)] { // with the last one it is Coming
		then[i].State = Active
		add()
	}
	return all
}

// members stay sorted by ID, as backends are, so that an index of the table is one of these.
func members(backends []Backend, belongs func(Backend) bool) []maglev.Member {
	chosen := make([]maglev.Member, 0, len(backends))
	for _, backend := range backends {
		if belongs(backend) {
			chosen = append(chosen, maglev.Member{ID: backend.ID, Weight: backend.Weight})
		}
	}
	return chosen
}
