package ipvs

import "fairlead.dev/agents/internal/balancer/datapath"

// before returns these services as they were set last, with their health of now.
func (e *Engine) before(services []datapath.Service) map[datapath.Key]datapath.Service {
	now := make(map[datapath.Key]*datapath.Service, len(services))
	for i := range services {
		now[services[i].Key] = &services[i]
	}
	before := make(map[datapath.Key]datapath.Service, len(e.services))
	for _, was := range e.services {
		if is := now[was.Key]; is != nil {
			before[was.Key] = was.WithHealth(is)
		}
	}
	return before
}

// carried returns the services that the kernel has after these failures.
func carried(wanted []datapath.Service, before map[datapath.Key]datapath.Service, failures []datapath.Failure) (services []datapath.Service) {
	failed := map[datapath.Key]datapath.Failure{}
	for _, failure := range failures {
		if failure.Backend == "" {
			failed[failure.Service] = failure
		}
	}
	for _, service := range wanted {
		failure, fails := failed[service.Key]
		if fails && !failure.Previous {
			continue
		}
		if was, known := before[service.Key]; fails && known {
			service = was
		}
		services = append(services, service)
	}
	return services
}
