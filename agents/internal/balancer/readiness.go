package balancer

import (
	"fmt"
	"net/netip"
	"slices"
	"sync/atomic"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/flows"
)

// readiness reports whether a router may send packets here. Pages read it while the loop
// works, so it is a separate value.
type readiness struct {
	ready     bool
	sentence  string
	addresses []netip.Addr    // addresses to advertise once it is ready: each has a backend that takes packets
	behindOf  time.Time       // when it started, while there may be a newer config
	exchange  *flows.Exchange // nil when there is no exchange
	ids       []awaitedIDs    // of services by session
	begun     *atomic.Bool    // see [running]
}

// waitForNewest is how long a replica whose config may be outdated isn't ready: its peers
// may have a newer one. After that, an old config is better than none.
const waitForNewest = 5 * time.Second

func (r *readiness) now() (ready bool, sentence string) {
	if !r.ready || r.begun.Load() {
		return r.ready, r.sentence
	}
	if !r.behindOf.IsZero() && time.Since(r.behindOf) < waitForNewest {
		return false, "This replica has just started and waits for the newest config."
	}
	if r.exchange != nil && !r.exchange.ReceivedAll() {
		return false, "This replica still learns from its peers where they placed connections."
	}
	if lacking := r.lackingIDs(netip.Addr{}); lacking != "" {
		return false, lacking
	}
	// From now on a router sends packets here. Each withdrawal and return would move
	// connections of all clients.
	r.begun.Store(true)
	return true, r.sentence
}

// listed returns the addresses that a router may send here, or why there are none, as a sentence.
func (r *readiness) listed() (addresses []netip.Addr, sentence string) {
	ready, sentence := r.now()
	if !ready {
		return nil, sentence
	}
	for _, address := range r.addresses {
		if r.lackingIDs(address) == "" {
			addresses = append(addresses, address)
		}
	}
	return addresses, ""
}

// advertises reports whether a router may send packets to an address here already.
func (r *readiness) advertises(address netip.Addr) bool {
	return r.ready && r.begun.Load() && slices.Contains(r.addresses, address) && r.lackingIDs(address) == ""
}

// isBehind records whether there may be a newer config. An older one lists former peers;
// the current ones have flows placed since.
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
	services, all := d.carried(), len(d.desired.Services)+len(d.desired.Rejected)
	switch {
	case len(services) == 0 && all > 0:
		return &readiness{sentence: fmt.Sprintf("None of the %d services could be set, so packets would reach no backend here.", all)}
	case len(services) == 0:
		return &readiness{sentence: "There is nothing to carry yet, so packets would reach no backend here."}
	case allBackendsDown(services):
		return &readiness{sentence: fmt.Sprintf("No backend of any of the %d services is up as seen from here, so routers should use another replica.", len(services))}
	}
	r := &readiness{ready: true, sentence: fmt.Sprintf("All %d services are carried by %s.", len(services), d.running.choice.Candidate.Name)}
	if len(services) < all {
		r.sentence = fmt.Sprintf("%d of %d services are carried by %s; the others could not be set.", len(services), all, d.running.choice.Candidate.Name)
	}
	for _, service := range services { // sorted by address
		if hasAnywhere(service) {
			r.addresses = append(r.addresses, service.Key.Address)
		}
	}
	r.addresses = slices.Compact(r.addresses)
	if d.failure != "" { // the newest config isn't carried, but the previous one is
		r.sentence = fmt.Sprintf("The previous services are carried; the newest config is not: %s.", d.failure)
	}
	r.behindOf, r.begun, r.ids = d.began, &d.running.begun, d.awaitIDs()
	if d.running.handover != nil {
		r.exchange = d.running.handover.exchange
	}
	return r
}

// allBackendsDown reports that every service has backends and none of them is up: more likely
// this replica is cut off than all of them are down at once. Those of other clusters don't count.
func allBackendsDown(services []datapath.Service) bool {
	for _, service := range services {
		if !slices.ContainsFunc(service.Backends, isOwn) || isAnyUp(service) {
			return false
		}
	}
	return len(services) > 0
}

func isAnyUp(service datapath.Service) bool {
	return slices.ContainsFunc(service.Backends, func(b datapath.Backend) bool { return b.Up && isOwn(b) })
}

// hasAnywhere reports whether a packet may find a backend: a draining one still has
// connections, which need the address. One of another cluster has replicas there.
func hasAnywhere(service datapath.Service) bool {
	return slices.ContainsFunc(service.Backends, func(b datapath.Backend) bool { return b.Up && b.State != datapath.Inactive && isOwn(b) })
}

func isOwn(b datapath.Backend) bool { return !b.Elsewhere }
