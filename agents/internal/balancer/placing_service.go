package balancer

import (
	"maps"
	"net"
	"slices"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/session/cookie"
	"fairlead.dev/agents/internal/session/replica"
)

// serviceOf returns a service as the program gets it, with the names that are known now. clients are the backends
// behind the proxy whose clients return.
func (p *placing) serviceOf(spec *Service, service *datapath.Service, keys cookie.Set, clients []string, now time.Time) replica.Service {
	session := spec.Session
	known, former := p.namesOf(spec, clients, now)
	out := replica.Service{Key: service.Key, Keys: keys, MSS: p.segmentOf(service), WithoutIDs: !session.IDs, Lifetime: session.Tickets, Former: namesFor(former)}
	for _, backend := range service.Backends {
		if backend.ID == proxyBackend {
			out.Backends = append(out.Backends, replica.Backend{
				ID: proxyBackend, Number: p.parts[service.Key].number, Companion: p.handoffs.running.Companion(), Resumes: len(clients) > 0, Names: namesFor(known[proxyBackend]),
			})
			continue
		}
		own, can := session.Backends[backend.ID] // the others are draining for this service
		if !can {
			continue
		}
		out.Backends = append(out.Backends, replica.Backend{
			ID: backend.ID, Number: own.Number, Companion: own.Companion, Resumes: session.keepsClients(backend), Names: namesFor(known[backend.ID]),
		})
	}
	return out
}

const (
	headers4 = 20 + 20 // of IP and TCP
	headers6 = 40 + 20
	udpBytes = 8
	mtuMost  = 65535
)

// segmentOf returns the largest segment that fits into the interface's packets on the way to a backend.
func (p *placing) segmentOf(service *datapath.Service) uint16 {
	size, outer := 1500, 0
	if link, err := net.InterfaceByName(p.interfaceName); err == nil {
		size = min(link.MTU, mtuMost)
	}
	headers, header := headers6, 40
	if service.Key.Address.Is4() {
		headers, header = headers4, 20
	}
	switch service.Delivery {
	case datapath.Tunnel:
		outer = header
	case datapath.GUE:
		outer = header + udpBytes
	}
	return uint16(max(size-headers-outer, 0))
}

// fitNames returns services, sorted by key, with as many names as the program has room for.
func fitNames(services map[datapath.Key]replica.Service) (all []replica.Service) {
	room, backends := replica.NamesMost, 0
	for _, service := range services {
		backends += len(service.Backends)
	}
	most := room / max(backends, 1)
	for _, key := range slices.SortedFunc(maps.Keys(services), compareKeys) {
		service := services[key]
		service.Backends = slices.Clone(service.Backends)
		for i, b := range service.Backends {
			service.Backends[i].Names = b.Names[:min(len(b.Names), most)]
			room -= len(service.Backends[i].Names)
		}
		all = append(all, service)
	}
	for i := range all {
		all[i].Former = all[i].Former[:min(len(all[i].Former), room)]
		room -= len(all[i].Former)
	}
	return all
}
