package adaptive

import (
	"time"

	"fairlead.dev/agents/internal/adaptive/cpulimit"
	"fairlead.dev/agents/internal/balancer/datapath"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// work is what the cores did for requests at this node.
type work struct {
	busy time.Duration // ∫min(requests in flight, processors)dt
	done uint64        // requests
}

func (m *meter) work() work {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return work{time.Duration(m.before.Busy), m.total.Done}
}

// since is nothing after the counts began again.
func (w work) since(before work) work {
	if w.done < before.done || w.busy < before.busy {
		return work{}
	}
	return work{w.busy - before.busy, w.done - before.done}
}

// serviceTimes adds how long requests took a core since the previous report, without the time for which they had to wait
// because of a CPU quota. Costs count that time, too: it is work that the node can't do.
func (d *Driver) serviceTimes(all []*agentv1.AdaptiveServiceStatus, before former) {
	limit, err := d.options.CPU.Read()
	if err != nil || d.desired.Cores > 0 {
		limit = cpulimit.Usage{}
	}
	d.observed.lost = limit.Lost
	since, total := map[datapath.Key]work{}, time.Duration(0)
	for _, s := range d.services {
		if was, known := before.work[s.Key]; known && s.meter != nil {
			since[s.Key] = d.observed.work[s.Key].since(was)
			total += since[s.Key].busy
		}
	}
	lost := max(0, limit.Lost-before.lost)
	for i, s := range d.services {
		all[i].CpuPeriodSeconds = limit.Period.Seconds()
		one := since[s.Key]
		if one.done == 0 {
			continue
		}
		seconds := one.busy.Seconds()
		if limit.Period > 0 {
			most := limit.Cores * d.observed.at.Sub(before.at).Seconds()
			seconds = one.underQuota(most, time.Duration(float64(lost)*float64(one.busy)/float64(max(1, total))))
		}
		mean := seconds / float64(one.done)
		all[i].ServiceSeconds = &mean
	}
}

// underQuota is the time of cores that requests took, if they waited for lost of it: at most what the quota allows. If other
// processes waited longer, all that is known is the most.
func (w work) underQuota(most float64, lost time.Duration) (seconds float64) {
	took := w.busy - lost
	if took <= 0 {
		took = w.busy
	}
	return min(took.Seconds(), most)
}
