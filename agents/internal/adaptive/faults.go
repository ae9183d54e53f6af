package adaptive

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fairlead.dev/agents/internal/adaptive/policy"
	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/events"
)

// Event reasons.
const (
	NodeCoresChanged  = "NodeCoresChanged"
	NodeClockChanged  = "NodeClockChanged"
	NodeCostsLate     = "NodeCostsLate"
	NodeCountsWrong   = "NodeCountsWrong"
	ServiceRejected   = "ServiceRejected"
	ServiceElsewhere  = "ServiceElsewhere"
	ServiceOverloaded = "ServiceOverloaded"
	ServiceRelieved   = "ServiceRelieved"
)

const (
	// clockMost is how far the wall clock may move beside the clock since boot: corrections are slower.
	clockMost = time.Second

	// wrongEvery is how often an event reports wrong counts.
	wrongEvery = 10 * time.Minute

	// coresExact is how many cores a cost has exact steps for.
	coresExact = len(policy.Cost{}.Steps)

	// namesMost is how many services an event names.
	namesMost = 3
)

// faults decides what has an event, so that each one is reported once. The zero value has reported nothing.
type faults struct {
	wall, boot time.Duration // of the last round; 0: none
	cores      float64
	wrong      uint64    // counts since the last event
	wrongAt    time.Time // of that event
	rejected   map[string]string
	elsewhere  map[datapath.Key]bool
}

// clocks compares two rounds. Costs and figures use the clock since boot, which a wall clock that is set doesn't change.
func (f *faults) clocks(wall, boot time.Duration) (all []events.Event) {
	moved, paused := wall-f.wall-(boot-f.boot), boot-f.boot
	isFirst := f.boot == 0
	f.wall, f.boot = wall, boot
	if isFirst {
		return nil
	}
	if moved.Abs() > clockMost {
		all = append(all, events.Event{Reason: NodeClockChanged, Message: fmt.Sprintf(
			"The clock of this host was changed by %v. Traffic isn't affected: costs and figures use the time since boot.", moved.Round(time.Millisecond))})
	}
	if paused > policy.OldestFigures {
		all = append(all, events.Event{Reason: NodeCostsLate, Warning: true, Message: fmt.Sprintf(
			"Costs were not updated for %v, so connections went to nodes by weight. The host was suspended, or the agent had to wait for the CPU or the kernel.", paused.Round(100*time.Millisecond))})
	}
	return all
}

// limit reports how many cores a node's backends may use, by the limit that source names.
func (f *faults) limit(cores float64, source string) (all []events.Event) {
	if cores == f.cores {
		return nil
	}
	f.cores = cores
	message := fmt.Sprintf("Backends of this node may use %.4g cores by %s.", cores, source)
	if cores > float64(coresExact) {
		message += fmt.Sprintf(" Costs are approximate beside more than %d requests.", coresExact)
	}
	return []events.Event{{Reason: NodeCoresChanged, Message: message}}
}

// corrected reports counts that didn't match the sockets that exist.
func (f *faults) corrected(count uint64, now time.Time) (all []events.Event) {
	f.wrong += count
	if f.wrong == 0 || !f.wrongAt.IsZero() && now.Sub(f.wrongAt) < wrongEvery {
		return nil
	}
	all = append(all, events.Event{Reason: NodeCountsWrong, Warning: true, Message: fmt.Sprintf(
		"%d connections were counted that don't exist, or not counted. The counts are corrected: costs were wrong for up to %v.", f.wrong, reconcileEvery)})
	f.wrong, f.wrongAt = 0, now
	return all
}

// config reports what a config can't have, and services without a backend at this node.
func (f *faults) config(desired *Desired) (all []events.Event) {
	before := f.rejected
	f.rejected = map[string]string{}
	add := func(id, loadBalancer, name, message string) {
		f.rejected[id] = message
		if before[id] != message {
			all = append(all, events.Event{Reason: ServiceRejected, Warning: true, LoadBalancer: loadBalancer, Message: fmt.Sprintf("Service %s: %s", name, message)})
		}
	}
	for _, one := range desired.Rejected {
		status := one.status()
		name := fmt.Sprintf("%s port %d %s", one.Address, one.Port, one.Protocol)
		add(one.LoadBalancer+" "+name, one.LoadBalancer, name, status.GetMessage()+" Its connections aren't distributed.")
	}
	for i := range desired.Services {
		s := &desired.Services[i]
		if message := desired.Former[s.Key]; message != "" {
			add(s.meshID(), s.LoadBalancer, s.Key.String(), message)
		}
	}
	return append(all, f.local(desired)...)
}

// local reports services whose connections all leave this node, in one event.
func (f *faults) local(desired *Desired) []events.Event {
	before, names := f.elsewhere, []string{}
	f.elsewhere = map[datapath.Key]bool{}
	for i := range desired.Services {
		s := &desired.Services[i]
		if len(s.Backends) == 0 || len(s.at(desired.Node)) > 0 {
			continue
		}
		f.elsewhere[s.Key] = true
		if !before[s.Key] {
			names = append(names, s.Key.String())
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	more := ""
	if len(names) > namesMost {
		names, more = names[:namesMost], fmt.Sprintf(" and %d more", len(names)-namesMost)
	}
	return []events.Event{{Reason: ServiceElsewhere, Message: fmt.Sprintf(
		"No backend of %s%s is at this node, so connections go to the node with the least cost.", strings.Join(names, ", "), more)}}
}
