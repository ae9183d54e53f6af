package balancer

import (
	"fmt"
	"slices"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/events"
)

// fallbacksFile has what became of services by session. A change between the engine and the proxy ends
// connections, so the next process continues with what this one had.
const fallbacksFile = "balancer.fallbacks"

// storedFallback is of a service that was placed by session, or that a proxy carries.
type storedFallback struct {
	Service   datapath.Key
	BySession bool
	Proxied   bool
	Backends  []string `json:",omitempty"` // behind the proxy, while others take connections by session
}

// loadFallbacks reads what a former process stored.
func (d *Driver) loadFallbacks() {
	var all []storedFallback
	if _, err := d.fallbacksFile.read(d.options.StateFolder, &all); err != nil {
		d.reportStored(&d.fallbacksFile, fmt.Errorf("services that a proxy carried before the restart wait for it again, because %s can't be read: %w", fallbacksFile, err))
	}
	d.fallbacks = all
}

// noteFallbacks stores what became of the services of the running engine.
func (d *Driver) noteFallbacks() {
	var all []storedFallback
	for key, one := range d.running.placing.fallbacks {
		stored := storedFallback{Service: key, BySession: one.wasBySession, Proxied: one.proxied}
		for id, each := range one.backends {
			if each.proxied {
				stored.Backends = append(stored.Backends, id)
			}
		}
		slices.Sort(stored.Backends)
		if one.wasBySession || one.proxied || len(stored.Backends) > 0 {
			all = append(all, stored)
		}
	}
	slices.SortFunc(all, func(a, b storedFallback) int { return compareKeys(a.Service, b.Service) })
	d.reportProxied(d.fallbacks, all)
	d.storeFallbacks(all)
}

// reportProxied emits an event for each backend that the proxy begins or ends to carry.
func (d *Driver) reportProxied(before, now []storedFallback) {
	report := func(these, others []storedFallback, reason, text string, warning bool) {
		for _, one := range these {
			for _, id := range one.Backends {
				service, backend := d.find(backendKey{one.Service, id})
				if backend == nil || slices.Contains(fallbackBefore(others, one.Service).Backends, id) {
					continue
				}
				d.news.Record(events.Event{Reason: reason, Warning: warning, LoadBalancer: service.LoadBalancer, Message: fmt.Sprintf("Backend %s of %s %s.", id, one.Service, text)})
			}
		}
	}
	report(now, before, BackendByProxy, "can't take connections by TLS session while others can, so a proxy carries its connections", true)
	report(before, now, BackendBySession, "is no longer carried by a proxy", false)
}

func (d *Driver) storeFallbacks(all []storedFallback) {
	var value any
	if len(all) > 0 {
		value = all
	}
	d.fallbacks = all
	if err := d.fallbacksFile.write(d.options.StateFolder, value); err != nil { // a full disk must not stop traffic
		d.reportStored(&d.fallbacksFile, fmt.Errorf("services that a proxy carries would wait for it again after a restart: %w", err))
	}
}

// fallbackBefore returns the state of a service as it was stored.
func fallbackBefore(all []storedFallback, key datapath.Key) (before storedFallback) {
	if at := slices.IndexFunc(all, func(one storedFallback) bool { return one.Service == key }); at >= 0 {
		return all[at]
	}
	return before
}
