package bpf

import (
	"fmt"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// check rejects more than the maps have room for, before any change.
func check(services []datapath.Service, hook Hook) error {
	if len(services) > int(program.TcxLimitsSERVICES) {
		return fmt.Errorf("%d services: %s carries %d at most; spread them over more load balancers", len(services), hook.Name, program.TcxLimitsSERVICES)
	}
	backends := 0
	for _, service := range services {
		backends += len(service.Backends)
	}
	if backends >= int(program.NoBackend) {
		return fmt.Errorf("%d backends: %s carries %d at most; spread them over more load balancers", backends, hook.Name, program.NoBackend-1)
	}
	return nil
}

func checkScheduler(s *datapath.Service, hook Hook) error {
	if s.Scheduler != "" {
		return fmt.Errorf("scheduler %q is for IPVS; leave it empty for %s", s.Scheduler, hook.Name)
	}
	return nil
}
