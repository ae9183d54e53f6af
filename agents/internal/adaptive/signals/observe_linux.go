package signals

import (
	"errors"
	"fmt"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/adaptive/program"
	bpf "fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// Observe reads the counts of all services.
func (s *Signals) Observe() (Observed, error) {
	all := Observed{Services: make(map[uint16]ServiceCounts, len(s.services))}
	for _, service := range s.services {
		var entry serviceEntry
		if err := s.maps[program.SignalsMapSignalServices].LookupWithFlags(uint32(service.Number), &entry, ebpf.LookupLock); err != nil {
			return Observed{}, fmt.Errorf("read the counts of service %d: %w", service.Number, err)
		}
		now := bpf.Monotonic()
		all.Services[service.Number] = ServiceCounts{
			InFlight: uint64(max(0, entry.InFlight)), Busy: busyAt(entry, now), At: now, Nodes: map[uint32]Counts{},
			incarnation: entry.Incarnation,
		}
	}
	err := s.eachOrigin(func(key originKey, origin originEntry) {
		counts, ok := all.Services[uint16(key.Service)]
		if ok && key.Incarnation == counts.incarnation {
			counts.Nodes[key.Node] = countsOf(origin)
		}
	})
	if err != nil {
		return Observed{}, fmt.Errorf("read the counts of nodes: %w", err)
	}
	return all, nil
}

// originsAtOnce is more than those with the same hash.
const originsAtOnce = 1024

// eachOrigin uses the same memory each time, because it runs many times a second.
func (s *Signals) eachOrigin(each func(originKey, originEntry)) error {
	if s.originKeys == nil {
		s.originKeys, s.origins = make([]originKey, originsAtOnce), make([]originEntry, originsAtOnce)
	}
	var cursor ebpf.MapBatchCursor
	for {
		n, err := s.maps[program.SignalsMapSignalOrigins].BatchLookup(&cursor, s.originKeys, s.origins, nil)
		for i := range n {
			each(s.originKeys[i], s.origins[i])
		}
		if errors.Is(err, ebpf.ErrKeyNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// countsOf is never below 0, which the differences of counts that are read one by one may be.
func countsOf(origin originEntry) Counts {
	return Counts{
		Open:     uint64(max(0, origin.Open[0]+origin.Open[1])),
		InFlight: uint64(max(0, origin.InFlight[0]+origin.InFlight[1])),
		Opened:   origin.Opened,
		Arrived:  origin.Arrived,
		Done:     origin.Done,
	}
}

// busyAt continues the integral to a time after its last change.
func busyAt(entry serviceEntry, now uint64) uint64 {
	const core = uint64(program.SignalsSignalLimitsSIGNAL_CORE)
	if now <= entry.At {
		return entry.Busy
	}
	jobs := uint64(max(0, entry.InFlight)) * core
	return entry.Busy + (min(jobs, uint64(entry.Cores))*(now-entry.At)+uint64(entry.Rest))/core
}
