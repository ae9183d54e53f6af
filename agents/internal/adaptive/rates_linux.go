package adaptive

import (
	"time"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// perSecond is how much counts of nodes rose in a period, of those that were known before it; nil if that isn't known.
func perSecond(counts, before map[string]uint64, period time.Duration) *float64 {
	if before == nil || period <= 0 {
		return nil
	}
	rate := 0.0
	for node, count := range counts {
		if was, known := before[node]; known && count >= was {
			rate += float64(count-was) / period.Seconds()
		}
	}
	return &rate
}

// rates adds what happened since the previous report.
func (d *Driver) rates(one *agentv1.AdaptiveServiceStatus, s *service, before former) {
	period := d.observed.at.Sub(before.at)
	one.ConnectionsPerSecond = perSecond(d.observed.chosen[s.Key], before.chosen[s.Key], period)
	arrived := map[string]uint64{}
	if s.meter != nil {
		arrived[d.desired.Node] = s.meter.arrived()
	}
	d.observed.arrived[s.Key] = arrived
	one.RequestsPerSecond = perSecond(arrived, before.arrived[s.Key], period)
	if s.meter != nil {
		d.observed.work[s.Key] = s.meter.work()
	}
}

// backendsAt is how many backends at a node may get new connections, without those on standby.
func (s *service) backendsAt(node string) (count uint32) {
	for i := range s.Backends {
		if s.Backends[i].Node == node && s.Backends[i].Weight > 0 && s.isUp[i] {
			count++
		}
	}
	return count
}
