package bpf

import (
	"fmt"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// check refuses what the programs can't carry, before anything is touched.
func check(services []datapath.Service, hook Hook) error {
	if err := datapath.Check(services, hook.Deliveries); err != nil {
		return err
	}
	if len(services) > int(TcxLimitsSERVICES) {
		return fmt.Errorf("%d services: %s carries %d at most; spread them over more load balancers", len(services), hook.Name, TcxLimitsSERVICES)
	}
	backends := 0
	for _, service := range services {
		if service.Scheduler != "" {
			return fmt.Errorf("service %s: scheduler %q is of IPVS; leave it empty for %s", service.Key, service.Scheduler, hook.Name)
		}
		backends += len(service.Backends)
	}
	if backends >= int(nobody) {
		return fmt.Errorf("%d backends: %s carries %d at most; spread them over more load balancers", backends, hook.Name, nobody-1)
	}
	return nil
}
