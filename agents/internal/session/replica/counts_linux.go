package replica

import (
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// counted are the services that the program counts.
type counted struct {
	mutex sync.Mutex
	slots map[datapath.Key]uint32
}

// set makes the program count exactly these services. One whose slot is another one's from now on
// begins at 0.
func (c *counted) set(m *ebpf.Map, slots map[datapath.Key]uint32) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	processors, err := ebpf.PossibleCPU()
	if err != nil {
		return err
	}
	for key, slot := range c.slots {
		if now, stays := slots[key]; stays && now == slot {
			continue
		}
		if err := m.Delete(slot); err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
			return fmt.Errorf("end the counts of service %s: %w", key, err)
		}
	}
	for key, slot := range slots {
		if before, has := c.slots[key]; has && before == slot {
			continue
		}
		if err := m.Put(slot, make([]program.SessionSessionServiceCounts, processors)); err != nil {
			return fmt.Errorf("count service %s: %w", key, err)
		}
	}
	c.slots = maps.Clone(slots)
	return nil
}

// read sums the counts over all processors.
func (c *counted) read(m *ebpf.Map) (map[datapath.Key]ServiceCounts, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	all := make(map[datapath.Key]ServiceCounts, len(c.slots))
	for key, slot := range c.slots {
		var each []program.SessionSessionServiceCounts
		err := m.Lookup(slot, &each)
		if errors.Is(err, ebpf.ErrKeyNotExist) {
			continue // the last set failed halfway
		}
		if err != nil {
			return nil, fmt.Errorf("read the counts of service %s: %w", key, err)
		}
		var sum ServiceCounts
		for _, one := range each {
			sum = sum.Add(ServiceCounts{
				SYNs: one.Syns, Questions: one.Questions, WithoutSession: one.WithoutSession, Unreadable: one.Unreadable,
				ByKey: outcomesOf(one.ByKey), ByTicket: outcomesOf(one.ByTicket), ByID: outcomesOf(one.ById),
			})
		}
		all[key] = sum
	}
	return all, nil
}

func outcomesOf(counts [program.SessionSessionOutcomeSESSION_OUTCOMES]uint64) Outcomes {
	return Outcomes{
		Home: counts[program.SessionSessionOutcomeSESSION_HOME], Gone: counts[program.SessionSessionOutcomeSESSION_GONE],
		Unknown: counts[program.SessionSessionOutcomeSESSION_UNKNOWN],
	}
}

// Observe reads the counts.
func (r *Replica) Observe() (Counts, error) {
	var all [program.SessionSessionCountSESSION_COUNTS]uint64
	for i := range all {
		var each []uint64
		if err := r.collection.Maps[program.SessionMapSessionCounts].Lookup(uint32(i), &each); err != nil {
			return Counts{}, fmt.Errorf("read the counts of sessions: %w", err)
		}
		for _, one := range each {
			all[i] += one
		}
	}
	services, err := r.counts.read(r.collection.Maps[program.SessionMapSessionCounted])
	if err != nil {
		return Counts{}, err
	}
	r.partsMutex.Lock()
	held, searched := r.parts.waiting(time.Now()), maps.Clone(r.idSearches.ended)
	r.partsMutex.Unlock()
	for key, counts := range services {
		counts.Searched = searched[key]
		services[key] = counts
	}
	for _, key := range held {
		service := bpf.FlowOf(key).Service
		if counts, ok := services[service]; ok {
			counts.Held++
			services[service] = counts
		}
	}
	return Counts{all[0], all[1], all[2], all[3], all[4], all[5], all[6], all[7], all[8], all[9], all[10], all[11], services}, nil
}
