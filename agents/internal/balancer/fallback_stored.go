package balancer

import (
	"fmt"
	"slices"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// fallbacksFile has what became of services by session. A change between the engine and the proxy ends
// connections, so the next process continues with what this one had.
const fallbacksFile = "balancer.fallbacks"

// storedFallback is of a service that was placed by session, or that a proxy carries.
type storedFallback struct {
	Service   datapath.Key
	BySession bool
	Proxied   bool
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
		if one.wasBySession || one.proxied {
			all = append(all, storedFallback{key, one.wasBySession, one.proxied})
		}
	}
	slices.SortFunc(all, func(a, b storedFallback) int { return compareKeys(a.Service, b.Service) })
	d.storeFallbacks(all)
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
