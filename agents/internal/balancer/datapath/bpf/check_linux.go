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
	backends, private := 0, 0
	for _, service := range services {
		backends += len(service.Backends)
		if service.Chooser.Draws() {
			private++
		}
	}
	if most := int(program.TcxPlacedLimitsWEIGHED); private > most {
		return fmt.Errorf("%d services with a private chooser: %s carries %d at most; spread them over more load balancers", private, hook.Name, most)
	}
	if backends >= int(program.NoBackend) {
		return fmt.Errorf("%d backends: %s carries %d at most; spread them over more load balancers", backends, hook.Name, program.NoBackend-1)
	}
	return nil
}

func checkChoice(s *datapath.Service, hook Hook) error {
	if most := int(program.TcxPlacedLimitsPICKS); s.Chooser.Draws() && len(s.Backends) > most {
		return fmt.Errorf("%d backends: a private chooser has room for %d; spread them over more services", len(s.Backends), most)
	}
	if s.Chooser == datapath.BySession && !hook.Sessions {
		return datapath.ErrNoSessions
	}
	if s.Chooser == datapath.ByCost && !hook.Sessions {
		return datapath.ErrNoCosts
	}
	if s.Scheduler != "" {
		return fmt.Errorf("scheduler %q is for IPVS; leave it empty for %s", s.Scheduler, hook.Name)
	}
	return nil
}
