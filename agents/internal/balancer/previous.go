package balancer

import (
	"fmt"
	"slices"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// previousFile has the services that are carried as before, because their new spec could
// not be set. The last good config has only the new spec, so without this file a restart
// would drop them.
const previousFile = "balancer.previous"

// previous is the content of the file. Another engine may not support these services.
type previous struct {
	Engine   string
	Services []datapath.Service // as they were set, sorted by key
}

// loadPrevious reads what a former process carried as before with this engine.
func (d *Driver) loadPrevious(engine string) {
	var last previous
	d.previous = nil
	if _, err := d.previousFile.read(d.options.StateFolder, &last); err != nil {
		d.reportStored(&d.previousFile, fmt.Errorf("services whose spec could not be set before the restart are not carried, because %s can't be read: %w", d.previousFile.name, err))
	} else if last.Engine == engine {
		d.previous = last.Services
	}
}

// notePrevious records which services are carried as before, given what was set before
// these failures.
func (d *Driver) notePrevious(engine string, before []datapath.Service, failures []datapath.Failure) {
	var next []datapath.Service
	for _, failure := range failures {
		if failure.Backend != "" || !failure.Previous {
			continue
		}
		if was := find(d.previous, failure.Service); was != nil {
			next = append(next, *was)
		} else if was := find(before, failure.Service); was != nil {
			next = append(next, *was)
		}
	}
	slices.SortFunc(next, func(a, b datapath.Service) int { return compareKeys(a.Key, b.Key) })
	d.previous = next
	var value any
	if len(next) > 0 {
		value = previous{engine, next}
	}
	if err := d.previousFile.write(d.options.StateFolder, value); err != nil { // a full disk must not stop traffic
		d.reportStored(&d.previousFile, fmt.Errorf("services that are carried as before would be dropped by a restart: %w", err))
	}
}

// asBefore returns these services with those as before that a former process carried so;
// nil if there are none.
func (d *Driver) asBefore(services []datapath.Service) []datapath.Service {
	if len(d.previous) == 0 {
		return nil
	}
	all := slices.Clone(services)
	for i := range all {
		if was := find(d.previous, all[i].Key); was != nil {
			all[i] = was.WithHealth(&all[i])
		}
	}
	return all
}

// find returns a service of a list that is sorted by key, or nil.
func find(services []datapath.Service, key datapath.Key) *datapath.Service {
	at, found := slices.BinarySearchFunc(services, key, func(s datapath.Service, key datapath.Key) int { return compareKeys(s.Key, key) })
	if !found {
		return nil
	}
	return &services[at]
}
