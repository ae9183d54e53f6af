package balancer

import (
	"fmt"
	"net/netip"
	"slices"
	"sync/atomic"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/flows"
)

// readiness is whether a router may send packets here. Pages read it while the
// loop works, hence a value of its own.
type readiness struct {
	ready     bool
	sentence  string
	addresses []netip.Addr    // that packets may be sent here for, once it is ready: each has a backend that takes them
	behindOf  time.Time       // when it began, as long as there may be a newer config
	exchange  *flows.Exchange // nil when there is nobody to hear
	begun     *atomic.Bool    // see [running]
}

// waitForNewest is how long a replica isn't ready whose config may not be the newest:
// its peers may have that. Then an old one is better than none.
const waitForNewest = 5 * time.Second

func (r *readiness) now() (ready bool, sentence string) {
	if !r.ready || r.begun.Load() {
		return r.ready, r.sentence
	}
	if !r.behindOf.IsZero() && time.Since(r.behindOf) < waitForNewest {
		return false, "This replica has just begun, and waits for the newest config."
	}
	if r.exchange != nil && !r.exchange.HeardAll() {
		return false, "This replica still learns from its peers where they placed connections."
	}
	// From now on a router sends packets here, and each time that it turns away and
	// comes back it moves connections of everybody.
	r.begun.Store(true)
	return true, r.sentence
}

// isBehind is told whether there may be a newer config. An older one names the
// peers of then; those of now know what happened since.
func (d *Driver) isBehind(is bool) {
	caughtUp := d.behind && !is
	d.behind = is
	if !caughtUp {
		return
	}
	d.began = time.Time{}
	if d.running != nil && d.running.handover != nil && !d.running.begun.Load() {
		d.running.handover.exchange.Await()
	}
	d.publishReadiness()
}

func (d *Driver) publishReadiness() { d.ready.Store(d.readinessNow()) }

func (d *Driver) readinessNow() *readiness {
	switch {
	case d.running == nil && d.failure != "":
		return &readiness{sentence: fmt.Sprintf("No engine carries packets: %s.", d.failure)}
	case d.running == nil:
		return &readiness{sentence: "The role is off."}
	case d.running.services == nil:
		return &readiness{sentence: fmt.Sprintf("The services are not carried: %s.", d.failure)}
	}
	services := d.wanted()
	switch {
	case len(services) == 0:
		return &readiness{sentence: "There is nothing to carry yet, so packets would find nobody here."}
	case hopeless(services):
		return &readiness{sentence: fmt.Sprintf("No backend of any of the %d services is up as seen from here, so packets had better go to another replica.", len(services))}
	}
	r := &readiness{ready: true, sentence: fmt.Sprintf("All %d services are carried by %s.", len(services), d.running.choice.Candidate.Name)}
	for _, service := range services { // sorted by address
		if hasAnywhere(service) {
			r.addresses = append(r.addresses, service.Key.Address)
		}
	}
	r.addresses = slices.Compact(r.addresses)
	if d.failure != "" { // the newest config isn't, but what ran before is
		r.sentence = fmt.Sprintf("The services of before are carried; the newest config is not: %s.", d.failure)
	}
	r.behindOf, r.begun = d.began, &d.running.begun
	if d.running.handover != nil {
		r.exchange = d.running.handover.exchange
	}
	return r
}

// hopeless says that every service has backends and none has one that is up:
// more likely this replica is cut off than all of them are broken at once.
func hopeless(services []datapath.Service) bool {
	for _, service := range services {
		if len(service.Backends) == 0 || isAnyUp(service) {
			return false
		}
	}
	return len(services) > 0
}

func isAnyUp(service datapath.Service) bool {
	return slices.ContainsFunc(service.Backends, func(b datapath.Backend) bool { return b.Up })
}

// hasAnywhere says whether a packet may find a backend: one that drains has its old
// connections, and they need the address.
func hasAnywhere(service datapath.Service) bool {
	return slices.ContainsFunc(service.Backends, func(b datapath.Backend) bool { return b.Up && b.State != datapath.Inactive })
}
