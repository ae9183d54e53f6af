package companion

import (
	"errors"
	"fmt"
	"net/netip"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// Counts are what the program did since it was first loaded.
type Counts struct {
	Accepted uint64
	Refused  uint64 // by the kernel: Preflight finds reasons
	NotMine  uint64
	Replaced uint64 // sockets of earlier connections on the same ports
	Learnt   uint64
}

// Observe reads the counts.
func (c *Companion) Observe() (Counts, error) {
	var all [program.SessionCompanionCountCOMPANION_COUNTS]uint64
	for i := range all {
		var each []uint64
		if err := c.collection.Maps[program.CompanionMapCompanionCounts].Lookup(uint32(i), &each); err != nil {
			return Counts{}, fmt.Errorf("read the counts of the companion: %w", err)
		}
		for _, one := range each {
			all[i] += one
		}
	}
	return Counts{all[0], all[1], all[2], all[3], all[4]}, nil
}

// Accepted returns how many connections each service accepted since it was added.
func (c *Companion) Accepted() (map[netip.AddrPort]uint64, error) {
	all := map[netip.AddrPort]uint64{}
	for _, s := range *c.services.Load() {
		var each []uint64
		err := c.collection.Maps[program.CompanionMapCompanionAccepted].Lookup(program.ToServiceKey(keyOf(s.Address)), &each)
		if errors.Is(err, ebpf.ErrKeyNotExist) {
			continue // the last Set failed halfway
		}
		if err != nil {
			return nil, fmt.Errorf("read how many connections %s accepted: %w", s.Address, err)
		}
		for _, one := range each {
			all[s.Address] += one
		}
	}
	return all, nil
}

// countEach makes the program count exactly these services.
func (c *Companion) countEach(wanted map[program.ServiceKey]program.SessionSessionService) error {
	m := c.collection.Maps[program.CompanionMapCompanionAccepted]
	var key program.ServiceKey
	var each []uint64
	var stale []program.ServiceKey
	counted := map[program.ServiceKey]bool{}
	entries := m.Iterate()
	for entries.Next(&key, &each) {
		if counted[key] = true; !isIn(wanted, key) {
			stale = append(stale, key)
		}
	}
	errs := []error{entries.Err()}
	for _, one := range stale {
		errs = append(errs, m.Delete(one))
	}
	zero := make([]uint64, ebpf.MustPossibleCPU())
	for one := range wanted {
		if !counted[one] {
			errs = append(errs, m.Put(one, zero))
		}
	}
	return errors.Join(errs...)
}

func isIn[K comparable, V any](all map[K]V, key K) bool {
	_, is := all[key]
	return is
}
