package balancer

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/events"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

var errTwice = errors.New("it is defined twice; give each address, port and protocol once")

// parseServices returns the services by key. Invalid ones have the reason.
func parseServices(specs []*agentv1.BalancerService) (services []Service, rejected []Rejected) {
	taken := make(map[datapath.Key]bool, len(specs))
	for _, spec := range specs {
		key, err := parseKey(spec)
		if err == nil && taken[key] {
			err = errTwice
		}
		if err != nil {
			rejected = append(rejected, Rejected{
				LoadBalancer: spec.GetLoadBalancerId(), Address: spec.GetAddress(), Port: spec.GetPort(), Protocol: spec.GetProtocol(), Reason: err.Error(),
			})
			continue
		}
		taken[key] = true
		service, err := parseService(spec, key)
		if err != nil { // what was parsed until then is incomplete
			service = Service{LoadBalancer: service.LoadBalancer, Exposure: service.Exposure, Peers: service.Peers, Invalid: err.Error()}
			service.Wanted.Key = key
		}
		services = append(services, service)
	}
	slices.SortFunc(services, byKey)
	return services, rejected
}

// withFormer returns a spec in which each invalid service is as its last valid spec, if there was one. So it is
// carried as before, with current health.
func (d *Driver) withFormer(desired Desired) Desired {
	if !slices.ContainsFunc(desired.Services, func(s Service) bool { return s.Invalid != "" }) {
		return desired
	}
	desired.Services = slices.Clone(desired.Services)
	for i := range desired.Services {
		service := &desired.Services[i]
		former := d.desired.service(service.Wanted.Key)
		if service.Invalid == "" || former == nil || former.Invalid != "" && !former.Former {
			continue
		}
		one := *former
		one.LoadBalancer, one.Exposure, one.Peers, one.Invalid, one.Former = service.LoadBalancer, service.Exposure, service.Peers, service.Invalid, true
		*service = one
	}
	return desired
}

func (r Rejected) name() string {
	return fmt.Sprintf("%s port %d/%s", cmp.Or(r.Address, "without an address"), r.Port, r.Protocol)
}

// status is the report about it. The control plane shows it at the load balancer.
func (r Rejected) status() *agentv1.BalancerServiceStatus {
	return &agentv1.BalancerServiceStatus{
		LoadBalancerId: r.LoadBalancer, Address: r.Address, Port: r.Port, Protocol: r.Protocol,
		Message: "Its spec is invalid: " + r.Reason + ".",
	}
}

// reportRejected emits an event for each service that was not rejected before.
func (d *Driver) reportRejected(before []Rejected, now time.Time) {
	for _, one := range d.desired.Rejected {
		if !slices.Contains(before, one) {
			d.news.Record(events.Event{
				At: now, Reason: EngineFailed, Warning: true, LoadBalancer: one.LoadBalancer,
				Message: fmt.Sprintf("Service %s is not carried: %s.", one.name(), one.Reason),
			})
		}
	}
}
