package bpf

import (
	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/maglev"
)

// placements are where other replicas look for a service's flows that they don't
// know: now, and when something of what is under way is over.
type placements struct {
	settled *table
	coming  []placement
}

type placement struct {
	rows  *maglev.Table
	slots []uint16 // of its members
}

// placementsOf is nil while the service has no table.
func placementsOf(s *service) *placements {
	settled := readTable(s.table)
	if settled == nil {
		return nil
	}
	p := &placements{settled: settled}
	for _, members := range datapath.Coming(s.Backends) {
		p.coming = append(p.coming, placement{maglev.Build(members), s.slotsOf(members)})
	}
	return p
}

// agree says whether every replica finds the flows of a row at a backend.
func (p *placements) agree(row uint32, slot uint16) bool {
	if p.settled[row].Settled != slot {
		return false
	}
	for _, coming := range p.coming {
		if slotAt(coming.slots, coming.rows[row]) != slot {
			return false
		}
	}
	return true
}

// underWay says whether what is settled now won't be for long. While it is, each
// change of tables may place a flow where others won't look for it.
func (s *service) underWay() bool { return s != nil && len(datapath.Coming(s.Backends)) > 0 }
