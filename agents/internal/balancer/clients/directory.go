package clients

import (
	"net/netip"
	"slices"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// servicesMost is the number of services that one agent samples.
const servicesMost = 100

// Service is a service of this host, whether it is sampled or not.
type Service struct {
	Key    datapath.Key
	Sample bool
}

// directory is what a packet may belong to.
type directory struct {
	sampled   map[datapath.Key]bool
	left      map[datapath.Key]bool // requested, but more than the limit
	addresses []netip.Addr          // of the sampled ones, sorted, without duplicates
	only      map[endpoint]datapath.Key
}

// endpoint is all that a later fragment contains of its service.
type endpoint struct {
	address  netip.Addr
	protocol datapath.Protocol
}

// newDirectory samples the first services, up to the limit.
func newDirectory(services []Service) *directory {
	d := &directory{sampled: map[datapath.Key]bool{}, left: map[datapath.Key]bool{}, only: map[endpoint]datapath.Key{}}
	if !slices.ContainsFunc(services, func(s Service) bool { return s.Sample }) {
		return d
	}
	count := map[endpoint]int{}
	for _, service := range services {
		at := endpoint{service.Key.Address, service.Key.Protocol}
		count[at]++
		switch {
		case !service.Sample:
			continue
		case len(d.sampled) == servicesMost:
			d.left[service.Key] = true
			continue
		}
		d.sampled[service.Key] = true
		d.only[at] = service.Key
		d.addresses = append(d.addresses, service.Key.Address)
	}
	for at := range d.only {
		if count[at] > 1 {
			delete(d.only, at)
		}
	}
	slices.SortFunc(d.addresses, netip.Addr.Compare)
	d.addresses = slices.Compact(d.addresses)
	return d
}

// serviceOf returns the sampled service that a packet belongs to.
func (d *directory) serviceOf(h header) (datapath.Key, bool) {
	if h.service.Port == 0 {
		key, is := d.only[endpoint{h.service.Address, h.service.Protocol}]
		return key, is
	}
	return h.service, d.sampled[h.service]
}
