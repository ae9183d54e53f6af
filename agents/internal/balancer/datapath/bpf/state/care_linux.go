package state

import (
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/balancer/maglev"
)

const (
	// lingers is how long a finished change still counts as in progress: other replicas
	// may finish it later, and place flows as before until then.
	lingers = 10 * time.Second

	formersMost = 4 // of one service

	// comingFirstMost bounds how many intermediate tables a Set evaluates: each takes
	// half a millisecond. Changes of more services at once most likely also end at once.
	comingFirstMost = 64
)

// former is the table for flows of unknown age until a moment ago.
type former struct {
	settled [program.TcxLimitsROWS]uint16
	Until   time.Time
}

// forgetFormers drops expired ones and reports whether there were any.
func (s *Service) forgetFormers(now time.Time) bool {
	for i, f := range s.Formers {
		if now.Before(f.Until) {
			s.Formers = s.Formers[i:]
			return i > 0
		}
	}
	forgot := len(s.Formers) > 0
	s.Formers = nil
	return forgot
}

func (s *Service) rememberFormer(t *program.Table, now time.Time) {
	f := former{Until: now.Add(lingers)}
	for i := range t.Row {
		f.settled[i] = t.Row[i].Settled
	}
	// A new array, because the previous model, which may be restored, has the other.
	s.Formers = append(append([]former(nil), s.Formers...), f)
	s.Formers = s.Formers[max(0, len(s.Formers)-formersMost):]
}

// markCare marks the rows whose flows are announced to other replicas, because these may
// place them elsewhere soon (during a change) or still (after one), and the rows whose
// new flows wait until that is acknowledged: all of those, and rows that others would
// place elsewhere right now.
func (s *Service) markCare(t *program.Table, coming []futureTable) {
	clear(t.Care[:])
	for i, r := range t.Row {
		var care uint8
		if r.Fresh != r.Settled {
			care |= program.RowWaits
		}
		for _, c := range coming {
			if slotAt(c.slots, c.rows[i]) != r.Settled {
				care |= program.RowAnnounces | program.RowWaits
			}
		}
		for j := range s.Formers { // by index: each holds a whole table
			settled := s.Formers[j].settled[i]
			if settled == program.NoBackend {
				continue
			}
			if settled != r.Settled {
				care |= program.RowAnnounces | program.RowWaits
			}
			if settled != r.Fresh {
				care |= program.RowWaits
			}
		}
		t.Care[i/4] |= care << (i % 4 * 2)
	}
}

// futureTable is a possible next settled table.
type futureTable struct {
	rows  *maglev.Table
	slots []uint16 // of its members
}

// coming returns the possible next tables, and takes intermediate ones from the shared
// budget firstMost.
func (s *Service) coming(firstMost *int) (all []futureTable) {
	first := datapath.ComingFirst(s.Backends, func(at int) uint32 { return s.Placed[at].Entry.Incarnation }, *firstMost)
	*firstMost -= len(first)
	for _, members := range append(datapath.Coming(s.Backends), first...) {
		all = append(all, futureTable{maglev.Build(members), s.slotsOf(members)})
	}
	return all
}

// Agree reports whether all replicas place the flows of a row at a backend.
func Agree(t *program.Table, row uint32, slot uint16) bool {
	return t.Row[row].Settled == slot && t.Care[row/4]>>(row%4*2)&program.RowAnnounces == 0
}

// underWay reports whether the settled table is about to change. Until then each change
// of tables may place a flow where others wouldn't.
func (s *Service) underWay() bool { return s != nil && len(datapath.Coming(s.Backends)) > 0 }
