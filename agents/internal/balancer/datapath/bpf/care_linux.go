package bpf

import (
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/maglev"
)

const (
	// lingers is how long a change that is over here counts as under way: another
	// replica may hear of its end later, and looks for flows as before until then.
	lingers = 10 * time.Second

	formersMost = 4 // of one service

	// comingFirstMost bounds how many tables a Set looks at that may be settled in
	// between: each takes half a millisecond. What comes for more services at once than
	// these are enough for will most likely be over at once, too.
	comingFirstMost = 64
)

// former is where flows of unknown age were looked for until a moment ago.
type former struct {
	settled [TcxLimitsROWS]uint16
	until   time.Time
}

// forgetFormers says whether there were any whose time is over.
func (s *service) forgetFormers(now time.Time) bool {
	for i, f := range s.formers {
		if now.Before(f.until) {
			s.formers = s.formers[i:]
			return i > 0
		}
	}
	forgot := len(s.formers) > 0
	s.formers = nil
	return forgot
}

func (s *service) rememberFormer(t *table, now time.Time) {
	f := former{until: now.Add(lingers)}
	for i := range t.Row {
		f.settled[i] = t.Row[i].Settled
	}
	// A new array: the model of before, which may come back, has the other.
	s.formers = append(append([]former(nil), s.formers...), f)
	s.formers = s.formers[max(0, len(s.formers)-formersMost):]
}

// markCare says of which rows flows are told to the other replicas, because
// these may look elsewhere soon (a change is under way) or still (one was), and
// in which rows new flows wait until that was heard: in all of those, and where
// others would look elsewhere at this very moment.
func (s *service) markCare(t *table, coming []tableToCome) {
	clear(t.Care[:])
	for i, r := range t.Row {
		var care uint8
		if r.Fresh != r.Settled {
			care |= wait
		}
		for _, c := range coming {
			if slotAt(c.slots, c.rows[i]) != r.Settled {
				care |= tell | wait
			}
		}
		for j := range s.formers { // by place: each holds a whole table
			settled := s.formers[j].settled[i]
			if settled == nobody {
				continue
			}
			if settled != r.Settled {
				care |= tell | wait
			}
			if settled != r.Fresh {
				care |= wait
			}
		}
		t.Care[i/4] |= care << (i % 4 * 2)
	}
}

// tableToCome is a table that may be settled when something of what is under way is over.
type tableToCome struct {
	rows  *maglev.Table
	slots []uint16 // of its members
}

// coming takes what it needs of those that may be looked at.
func (s *service) coming(firstMost *int) (all []tableToCome) {
	first := datapath.ComingFirst(s.Backends, func(at int) uint32 { return s.backends[at].entry.Incarnation }, *firstMost)
	*firstMost -= len(first)
	for _, members := range append(datapath.Coming(s.Backends), first...) {
		all = append(all, tableToCome{maglev.Build(members), s.slotsOf(members)})
	}
	return all
}

// agree says whether every replica finds the flows of a row at a backend.
func agree(t *table, row uint32, slot uint16) bool {
	return t.Row[row].Settled == slot && t.Care[row/4]>>(row%4*2)&tell == 0
}

// underWay says whether what is settled now won't be for long. While it is, each
// change of tables may place a flow where others won't look for it.
func (s *service) underWay() bool { return s != nil && len(datapath.Coming(s.Backends)) > 0 }
