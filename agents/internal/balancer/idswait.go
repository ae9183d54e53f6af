package balancer

import (
	"fmt"
	"net/netip"
	"strings"
	"sync/atomic"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/events"
)

// idsWithin is how long a replica waits for the session ids that companions have. After that, a replica that
// lacks some is better than none.
const idsWithin = 5 * time.Second

// idsWait is for the session ids of one service. Until a replica has them, it places clients of TLS 1.2 as new
// ones, so its address isn't advertised. All fields but over belong to the loop.
type idsWait struct {
	until time.Time
	over  atomic.Bool // for good: each withdrawal and return moves connections of all clients
	noted bool
}

// awaitedIDs are what pages read of a wait.
type awaitedIDs struct {
	*idsWait
	service datapath.Key
	lacks   func(datapath.Key) []string // backends, by ID
}

// lacking returns the backends that the service waits for.
func (a awaitedIDs) lacking(now time.Time) []string {
	if a.over.Load() {
		return nil
	}
	backends := a.lacks(a.service)
	if len(backends) == 0 || !now.Before(a.until) {
		a.over.Store(true)
		return nil
	}
	return backends
}

// awaitIDs returns the waits for session ids of all services. One begins with a service by session whose address
// isn't advertised yet.
func (d *Driver) awaitIDs() (all []awaitedIDs) {
	waits := map[datapath.Key]*idsWait{}
	for key := range d.running.placing.carried { // empty without a placer
		spec := d.desired.service(key)
		if spec == nil || spec.Session == nil || !spec.Session.IDs {
			continue
		}
		one := awaitedIDs{d.running.idsWaits[key], key, d.running.placing.placer.LacksIDs}
		if one.idsWait == nil {
			one.idsWait = &idsWait{until: time.Now().Add(idsWithin)}
			one.noted = d.ready.Load().advertises(key.Address) || len(one.lacking(time.Now())) == 0
			one.over.Store(one.noted)
			if !one.noted {
				time.AfterFunc(idsWithin, d.stir)
			}
		}
		waits[key] = one.idsWait
		all = append(all, one)
	}
	d.running.idsWaits = waits
	return all
}

// noteIDs reports the waits that ended without all session ids, and whether any ended.
func (d *Driver) noteIDs(now time.Time) (ended bool) {
	for _, one := range d.ready.Load().ids {
		lacking := one.lacks(one.service)
		if one.noted || len(lacking) > 0 && now.Before(one.until) {
			continue
		}
		one.noted, ended = true, true
		one.over.Store(true)
		spec := d.desired.service(one.service)
		if len(lacking) == 0 || spec == nil {
			continue
		}
		d.news.Record(events.Event{At: now, Reason: SessionIDsMissing, Warning: true, LoadBalancer: spec.LoadBalancer, Message: fmt.Sprintf(
			"This replica takes clients of %s without all TLS session ids of %s, which were not received within %d seconds. Clients that return by such an id begin new sessions. Check that the agents of the role backend run there, and that UDP reaches port %d of this replica.",
			one.service, nameBackends(lacking), int(idsWithin.Seconds()), sessionPort)})
	}
	return ended
}

// whyIDs returns what a service waits for, as a sentence; "" if for nothing.
func (d *Driver) whyIDs(service datapath.Key) string {
	for _, one := range d.ready.Load().ids {
		if one.service != service {
			continue
		}
		if lacking := one.lacking(time.Now()); len(lacking) > 0 {
			return fmt.Sprintf("This replica still receives the TLS session ids of %s.", nameBackends(lacking))
		}
	}
	return ""
}

// lackingIDs returns why an address isn't advertised yet, as a sentence; "" if it is. The zero address means any.
func (r *readiness) lackingIDs(address netip.Addr) string {
	for _, one := range r.ids {
		if address.IsValid() && one.service.Address != address {
			continue
		}
		if lacking := one.lacking(time.Now()); len(lacking) > 0 {
			return fmt.Sprintf("This replica still receives the TLS session ids of %s of %s.", nameBackends(lacking), one.service)
		}
	}
	return ""
}

func nameBackends(ids []string) string {
	const most = 5
	if len(ids) > most {
		return fmt.Sprintf("backends %s and %d others", strings.Join(ids[:most], ", "), len(ids)-most)
	}
	if len(ids) == 1 {
		return "backend " + ids[0]
	}
	return "backends " + strings.Join(ids[:len(ids)-1], ", ") + " and " + ids[len(ids)-1]
}
