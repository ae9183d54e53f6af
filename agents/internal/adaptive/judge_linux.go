package adaptive

import (
	"time"

	"fairlead.dev/agents/internal/boottime"
	"fairlead.dev/agents/internal/events"
)

// judge records what has an event.
func (d *Driver) judge(now time.Time) {
	d.report(d.mesh.Events())
	d.report(d.faults.clocks(time.Duration(time.Now().UnixNano()), boottime.Now()))
	d.overloads(now)
	if now.Sub(d.guarded) >= guardEvery {
		d.guarded = now
		d.report(d.press(now))
	}
}

// press updates the share of the cores that this node offers. Without pressure to read, it offers all.
func (d *Driver) press(now time.Time) []events.Event {
	stalls, err := d.options.Pressure.Read()
	if err != nil {
		return d.guard.missing(err)
	}
	busy := 0.0 // cores
	for _, s := range d.services {
		if s.meter != nil {
			figures := s.meter.figures(0)
			busy += figures.Rate * figures.ServiceTime
		}
	}
	return d.guard.add(stalls, busy/d.cores, now)
}

func (d *Driver) report(all []events.Event) {
	for _, one := range all {
		d.news.Record(one)
	}
}
