package signals

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/adaptive/program"
	bpf "fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// allEvery is how often services without requests are read too.
const allEvery = 20

// Observe reads the counts of all services. They are valid until the next call but one.
func (s *Signals) Observe() (Observed, error) {
	before, all := s.observed, s.empty()
	err := s.eachOrigin(func(key originKey, origin originEntry) {
		if counts := all[uint16(key.Service)]; key.Incarnation == counts.incarnation {
			counts.Nodes[key.Node] = countsOf(origin)
		}
	})
	if err != nil {
		return Observed{}, fmt.Errorf("read the counts of nodes: %w", err)
	}
	s.rounds++
	for _, service := range s.services {
		counts, was := all[service.Number], before[service.Number]
		if s.rounds%allEvery != 0 && counts.isIdleSince(was) {
			counts.Busy, counts.At = was.Busy, bpf.Monotonic()
		} else if err := s.readBusy(uint32(service.Number), &counts); err != nil {
			return Observed{}, fmt.Errorf("read the counts of service %d: %w", service.Number, err)
		}
		all[service.Number] = counts
	}
	s.observed, s.former = all, before
	return Observed{Services: all}, nil
}

// empty returns no counts of the services, in the memory of the counts before the last ones.
func (s *Signals) empty() map[uint16]ServiceCounts {
	all := make(map[uint16]ServiceCounts, len(s.services))
	for _, service := range s.services {
		nodes := s.former[service.Number].Nodes
		if nodes == nil {
			nodes = map[uint32]Counts{}
		}
		clear(nodes)
		all[service.Number] = ServiceCounts{Nodes: nodes, incarnation: incarnationOf(service)}
	}
	return all
}

// isIdleSince reports whether nothing was in flight since then. Each read of a service is a system call, and most of
// many services have no request in a round.
func (s ServiceCounts) isIdleSince(was ServiceCounts) bool {
	before, now := was.Total(), s.Total()
	return was.At != 0 && was.incarnation == s.incarnation && was.InFlight == 0 && now.InFlight == 0 &&
		before.InFlight == 0 && before.Arrived == now.Arrived && before.Done == now.Done
}

// readBusy passes pointers to the kernel, because reflection on their types would take half of the time.
func (s *Signals) readBusy(number uint32, counts *ServiceCounts) error {
	var entry serviceEntry
	services := s.maps[program.SignalsMapSignalServices]
	if err := services.LookupWithFlags(unsafe.Pointer(&number), unsafe.Pointer(&entry), ebpf.LookupLock); err != nil {
		return err
	}
	now := bpf.Monotonic()
	counts.InFlight, counts.Busy, counts.At = uint64(max(0, entry.InFlight)), busyAt(entry, now), now
	if entry.Incarnation != counts.incarnation {
		counts.incarnation = entry.Incarnation
		clear(counts.Nodes)
	}
	return nil
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
