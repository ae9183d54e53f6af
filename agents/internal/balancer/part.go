package balancer

import (
	"cmp"
	"maps"
	"net/netip"
	"slices"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/session/cookie"
	"fairlead.dev/agents/internal/session/names"
	"fairlead.dev/agents/internal/session/replica"
)

// proxyBackend is the proxy as a backend of the engine, for backends that can't take connections by session while
// others can. It is no backend's ID, and sorts after those.
const proxyBackend = "~proxy"

// proxyPart is what the proxy carries of a service whose other connections the engine places by session.
type proxyPart struct {
	service datapath.Service // as the proxy carries it, with only the backends that it connects to
	keys    cookie.Set
	number  uint8          // of the proxy as a backend
	replica netip.AddrPort // to which it sends messages as one

	whole   datapath.Service // as the engine carries it without the proxy
	program replica.Service  // as the program has it then
}

// bySession returns a service as the engine carries it: with the proxy as a backend in place of those that can't take
// connections by session.
func (p *placing) bySession(spec *Service, service datapath.Service, keys cookie.Set, now time.Time) datapath.Service {
	whole := spec.Session.bySession(service)
	program := p.serviceOf(spec, &whole, keys, nil, now)
	p.chosen[service.Key] = program
	one := p.fallbackOf(service.Key)
	backends, weight := p.proxiedBackends(one, spec, &service, now)
	if len(backends) == 0 {
		return whole
	}
	at, reason := p.openHandoff(backends[0].Address.Is4())
	if reason != "" {
		one.refuseBackends(reason, now)
		p.lookAgain(proxyRetryAfter)
		return whole
	}
	rest := service
	rest.Delivery, rest.Chooser, rest.Backends = datapath.Proxy, datapath.BySession, backends
	p.parts[service.Key] = proxyPart{rest, keys, freeNumber(spec.Session), inFamily(p.listens, at), whole, program}
	one.table.Set(p.tableOf(spec, &rest, now))
	all := withProxy(whole, at, weight)
	p.chosen[service.Key] = p.serviceOf(spec, &all, keys, spec.Session.clientsOf(backends), now)
	return all
}

// proxiedBackends returns the backends that the proxy carries, and their weight for new connections. Those that take
// connections by session again keep what they have there for a while.
func (p *placing) proxiedBackends(one *fallback, spec *Service, service *datapath.Service, now time.Time) (all []datapath.Backend, weight int) {
	if !spec.Session.mayProxy() {
		one.backends = nil
		return nil, 0
	}
	before := one.backends
	one.backends = map[string]*fallback{}
	for _, b := range service.Backends {
		if b.State == datapath.Inactive {
			continue
		}
		_, can := spec.Session.Backends[b.ID]
		each := before[b.ID]
		if each == nil {
			each = &fallback{proxied: !can && slices.Contains(one.proxiedBefore, b.ID)}
		}
		one.backends[b.ID] = each
		each.wasBySession = false // its connections stay where they are, so it waits only for agents that start
		is, again := each.next(can, now)
		p.lookAgain(again)
		if !is {
			continue
		}
		if can {
			b.State = datapath.Draining
		}
		if b.Up && (b.State == datapath.Active || b.State == datapath.Filling) {
			weight += int(b.Weight)
		}
		all = append(all, b)
	}
	one.proxiedBefore = nil
	return all, weight
}

// proxyTakes reports whether the proxy takes new connections for some backends. It then continues when the last other
// backend can't, because a change would end its connections.
func (p *placing) proxyTakes(one *fallback, spec *Service, service *datapath.Service, used int) bool {
	at := slices.IndexFunc(service.Backends, func(b datapath.Backend) bool {
		each := one.backends[b.ID]
		is := each != nil && each.proxied || slices.Contains(one.proxiedBefore, b.ID)
		return is && b.Up && (b.State == datapath.Active || b.State == datapath.Filling)
	})
	if at < 0 || !spec.Session.mayProxy() || p.whyNotHere(spec, used) != "" || p.open() != "" {
		return false
	}
	_, reason := p.openHandoff(service.Backends[at].Address.Is4())
	return reason == ""
}

// clientsOf returns the backends whose clients return, by ID.
func (s *Session) clientsOf(backends []datapath.Backend) (ids []string) {
	for _, b := range backends {
		if _, can := s.Backends[b.ID]; !can && s.keepsClients(b) {
			ids = append(ids, b.ID)
		}
	}
	return ids
}

// withProxy returns a service with the proxy as a backend of this weight.
func withProxy(service datapath.Service, at netip.Addr, weight int) datapath.Service {
	own := datapath.Backend{ID: proxyBackend, Address: at, Port: service.Key.Port, Weight: 1, State: datapath.Draining, Up: true}
	if weight > 0 {
		own.State = datapath.Active
	}
	service.Backends = slices.Clone(service.Backends)
	if weight > weightMost { // then all have less, in proportion
		for i := range service.Backends {
			b := &service.Backends[i]
			b.Weight = uint16(max(int(b.Weight)*weightMost/weight, 1))
		}
	}
	own.Weight = uint16(max(min(weight, weightMost), 1))
	service.Backends = append(service.Backends, own)
	slices.SortFunc(service.Backends, func(a, b datapath.Backend) int { return cmp.Compare(a.ID, b.ID) })
	return service
}

// freeNumber returns one that no backend has, if there is one.
func freeNumber(session *Session) uint8 {
	used := map[uint8]bool{}
	for b := range maps.Values(session.Backends) {
		used[b.Number] = true
	}
	for number := replica.NumberMost; number > 0; number-- {
		if !used[number] {
			return number
		}
	}
	return replica.NumberMost
}

// namesOf returns the names of a service's backends. Those of backends behind the proxy are its own.
func (p *placing) namesOf(spec *Service, clients []string, now time.Time) (known map[string][]names.Name, former []names.Name) {
	all := spec.Session.Backends
	if len(clients) > 0 {
		all = maps.Clone(all)
		for _, id := range clients {
			all[id] = SessionBackend{}
		}
	}
	known, former = p.learner.of(spec, all, now)
	if known == nil {
		return nil, former
	}
	for _, id := range clients {
		known[proxyBackend] = append(known[proxyBackend], known[id]...)
		delete(known, id)
	}
	return known, former
}

// partsIn returns what the proxy carries for backends of these services, which the engine carries.
func (p *placing) partsIn(services []datapath.Service) map[datapath.Key]proxyPart {
	all := map[datapath.Key]proxyPart{}
	for i := range services {
		if one, is := p.partAt(&services[i]); is {
			all[services[i].Key] = one
		}
	}
	return all
}

// partAt returns what the proxy carries for backends of a service; as last set if it is about to leave.
func (p *placing) partAt(service *datapath.Service) (one proxyPart, is bool) {
	if !slices.ContainsFunc(service.Backends, func(b datapath.Backend) bool { return b.ID == proxyBackend }) {
		return one, false
	}
	if one, is = p.parts[service.Key]; is {
		return one, true
	}
	one, is = p.partsLast[service.Key]
	return one, is
}

// connects reports whether the proxy connects to a backend of a service, while others take connections by session.
func (p *placing) connects(service datapath.Key, backend string) bool {
	one, is := p.parts[service]
	return is && slices.ContainsFunc(one.service.Backends, func(b datapath.Backend) bool { return b.ID == backend })
}

// sameParts reports whether the proxy carries what it should.
func (p *placing) sameParts() bool {
	return maps.EqualFunc(p.parts, p.partsLast, func(a, b proxyPart) bool { return a.service.Equal(&b.service) })
}

// refuseBackends has the proxy try again later.
func (f *fallback) refuseBackends(reason string, now time.Time) {
	for each := range maps.Values(f.backends) {
		if each.proxied {
			each.proxied, each.refused, each.retries = false, reason, now.Add(proxyRetryAfter)
		}
	}
}

// whyLacking returns what happens to a backend that can't take connections by session while others can.
func (p *placing) whyLacking(service datapath.Key, backend string) string {
	const lacks = "The agent of the role backend isn't ready next to it"
	one := p.fallbacks[service]
	if _, chosen := p.chosen[service]; !chosen || one == nil || one.backends[backend] == nil {
		return lacks + ", so it takes no connections by TLS session."
	}
	switch each := one.backends[backend]; {
	case each.refused != "":
		return lacks + ", so it gets no new connections. The proxy can't carry them: " + each.refused + "."
	case each.proxied:
		return lacks + ", so a proxy carries its connections, and its clients return by it."
	}
	return lacks + ", so it gets no new connections. If that lasts for " + formatSpan(proxyFirstAfter) + ", a proxy carries them."
}
