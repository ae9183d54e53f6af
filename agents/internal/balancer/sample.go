package balancer

import (
	"fmt"
	"math"
	"slices"

	"fairlead.dev/agents/internal/balancer/clients"
	"fairlead.dev/agents/internal/balancer/datapath"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// networksReported is the number of client networks in the report of one service.
const networksReported = int(agentv1.Limit_LIMIT_REPORT_CLIENT_NETWORKS)

// samples reports whether any service requests a sample.
func (d Desired) samples() bool {
	return slices.ContainsFunc(d.Services, func(service Service) bool { return service.Sample })
}

// sampleClients samples the services that request it, if the running engine allows that.
func (d *Driver) sampleClients() {
	if d.running.choice.Candidate.BeforeTaps {
		d.sampler.Set(nil)
		return
	}
	services := make([]clients.Service, len(d.desired.Services))
	for i, service := range d.desired.Services {
		services[i] = clients.Service{Key: service.Wanted.Key, Sample: service.Sample}
	}
	d.sampler.Set(services)
}

// clientSamples returns a sample of each service that requests one.
func (d *Driver) clientSamples() map[datapath.Key]*agentv1.ClientSample {
	samples := d.sampler.Samples(networksReported)
	all := map[datapath.Key]*agentv1.ClientSample{}
	for _, service := range d.desired.Services {
		switch key := service.Wanted.Key; {
		case !service.Sample:
		case d.running.choice.Candidate.BeforeTaps:
			all[key] = &agentv1.ClientSample{Problem: fmt.Sprintf(
				"The %s engine forwards packets before they can be sampled. Use the engine tcx to sample clients.", d.running.choice.Candidate.Name)}
		default:
			all[key] = sampleOf(samples[key])
		}
	}
	return all
}

func sampleOf(sample clients.Sample) *agentv1.ClientSample {
	out := &agentv1.ClientSample{
		Problem: sample.Problem, Seconds: uint32(math.Ceil(sample.Span.Seconds())), OneIn: sample.OneIn, OtherBps: sample.OtherBps,
	}
	for _, network := range sample.Networks {
		out.Networks = append(out.Networks, &agentv1.ClientNetwork{
			Prefix: network.Prefix.String(), ThroughputBps: network.ThroughputBps, PacketsPerSecond: network.PacketsPerSecond,
		})
	}
	return out
}
