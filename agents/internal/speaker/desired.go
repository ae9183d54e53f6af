package speaker

import (
	"fmt"
	"net/netip"
	"slices"
	"time"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/health"
)

// Desired is the complete state of one speaker.
type Desired struct {
	On       bool
	BGP      bgp.Desired // the speaker sets Offers
	Services []Service   // sorted by prefix
	Leaving  bool        // all services, as when the node drains
	DrainFor time.Duration
}

// Service is a prefix that may be advertised.
type Service struct {
	LoadBalancer string // its ID
	Offer        bgp.Offer
	Probes       []health.Target // one success is enough: a port whose backends are all down is down on every replica
	Plain        bool            // a process on this host answers, without a data path
	Leaving      bool
}

// Check rejects invalid settings.
func (d *Desired) Check() error {
	seen := map[netip.Prefix]bool{}
	for _, service := range d.Services {
		prefix := service.Offer.Prefix
		switch {
		case len(service.Probes) == 0:
			return fmt.Errorf("service %s: it has no probe: set a port to probe", prefix)
		case seen[prefix]:
			return fmt.Errorf("service %s: it is listed twice: remove one of them", prefix)
		}
		seen[prefix] = true
		for _, probe := range service.Probes {
			if !prefix.Contains(probe.Address) {
				return fmt.Errorf("service %s: the probe address %s is outside it: use one of its addresses", prefix, probe.Address)
			}
		}
	}
	whole := d.BGP
	whole.Offers = nil
	for _, service := range d.Services {
		whole.Offers = append(whole.Offers, service.Offer)
	}
	return whole.Check()
}

func (d *Desired) targets() (targets []health.Target) {
	for _, service := range d.Services {
		targets = append(targets, service.Probes...)
	}
	return targets
}

func (d *Desired) plain() map[health.Target]bool {
	plain := map[health.Target]bool{}
	for _, service := range d.Services {
		for _, probe := range service.Probes {
			plain[probe] = service.Plain
		}
	}
	return plain
}

func (d *Desired) service(prefix netip.Prefix) (Service, bool) {
	at := slices.IndexFunc(d.Services, func(s Service) bool { return s.Offer.Prefix == prefix })
	if at < 0 {
		return Service{}, false
	}
	return d.Services[at], true
}
