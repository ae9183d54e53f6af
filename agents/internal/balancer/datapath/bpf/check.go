package bpf

import (
	"fmt"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// check rejects what the programs can't carry, before any change.
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
			return fmt.Errorf("service %s: scheduler %q is for IPVS; leave it empty for %s", service.Key, service.Scheduler, hook.Name)
		}
		backends += len(service.Backends)
	}
	if backends >= int(noBackend) {
		return fmt.Errorf("%d backends: %s carries %d at most; spread them over more load balancers", backends, hook.Name, noBackend-1)
	}
	return nil
}
