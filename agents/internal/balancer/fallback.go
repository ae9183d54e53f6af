package balancer

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/session/names"
	"fairlead.dev/agents/internal/session/proxied"
)

// What carries the connections of a service while no backend takes them by session.
const (
	fallbackProxy = "proxy"
	fallbackPlain = "plain"
)

// Connections end when the proxy begins or ends to carry a service, so it waits.
const (
	proxyFirstAfter = 30 * time.Second // of a service that was never placed by session here: backends' agents start
	proxyAfter      = 15 * time.Minute // of others: agents and servers are updated
	proxyEndsAfter  = time.Minute      // that a backend takes connections by session again
	proxyRetryAfter = time.Minute      // that the proxy could not carry a service
)

// fallback is what becomes of one service while no backend takes connections by session.
type fallback struct {
	lacking      time.Time // since when none does; zero: one does
	taking       time.Time // since when one does, while the proxy still carries it
	wasBySession bool      // it was placed by session here
	proxied      bool
	refused      string    // why the proxy can't carry it
	retries      time.Time // when it is tried again

	backends      map[string]*fallback // those of backends, while others take connections by session
	proxiedBefore []string             // which backends were behind the proxy, as of an earlier engine or process

	problem string           // why it isn't placed by session
	plain   datapath.Service // as the engine carries it otherwise
	service datapath.Service // as the proxy does
	table   *proxied.Table
}

// stays reports whether the proxy continues, whatever backends take now.
func (f *fallback) stays(now time.Time) bool {
	return f.proxied && (f.taking.IsZero() || now.Sub(f.taking) < proxyEndsAfter)
}

// next decides whether the proxy carries the service, and when to decide again; 0: after a change.
func (f *fallback) next(takes bool, now time.Time) (proxied bool, again time.Duration) {
	switch {
	case takes && f.proxied && f.taking.IsZero():
		f.lacking, f.taking = time.Time{}, now
		return true, proxyEndsAfter
	case takes && f.stays(now):
		return true, proxyEndsAfter - now.Sub(f.taking)
	case takes:
		f.lacking, f.taking, f.proxied, f.wasBySession, f.refused = time.Time{}, time.Time{}, false, true, ""
		return false, 0
	}
	f.taking = time.Time{}
	if f.proxied {
		return true, 0
	}
	if left := f.retries.Sub(now); f.refused != "" && left > 0 {
		return false, left
	}
	if f.lacking.IsZero() {
		f.lacking = now
	}
	if left := f.wait() - now.Sub(f.lacking); left > 0 {
		return false, left
	}
	f.proxied, f.refused = true, ""
	return true, 0
}

func (f *fallback) wait() time.Duration {
	if f.wasBySession {
		return proxyAfter
	}
	return proxyFirstAfter
}

// meanwhile returns what happens until the problem is solved.
func (f *fallback) meanwhile(allowed bool) string {
	const alone = " Until then each connection is placed on its own, and clients don't return to their backend."
	switch {
	case f.proxied && f.refused != "": // no other delivery is possible
		return " The proxy can't carry the connections: " + f.refused + "."
	case f.proxied:
		return byProxy
	case !allowed:
		return alone
	case f.refused != "":
		return alone + " The proxy can't carry them: " + f.refused + "."
	}
	return fmt.Sprintf("%s If that lasts for %s, a proxy carries them.", alone, formatSpan(f.wait()))
}

const byProxy = " Until then a proxy carries the connections, and clients return by it."

func formatSpan(span time.Duration) string {
	if span < time.Minute {
		return fmt.Sprintf("%d seconds", int(span.Seconds()))
	}
	return fmt.Sprintf("%d minutes", int(span.Minutes()))
}

// fallbackOf returns the state of a service.
func (p *placing) fallbackOf(key datapath.Key) *fallback {
	one := p.fallbacks[key]
	if one == nil {
		before := fallbackBefore(p.before, key)
		one = &fallback{proxied: before.Proxied, wasBySession: before.BySession, proxiedBefore: before.Backends, table: proxied.NewTable(p.ids)}
		p.fallbacks[key] = one
	}
	return one
}

// decide returns whether the proxy carries a service, given why it can't be placed by session.
func (p *placing) decide(spec *Service, service *datapath.Service, problem string, now time.Time) bool {
	one := p.fallbackOf(service.Key)
	one.plain, one.problem = *service, problem
	switch {
	case spec.Wanted.Delivery == datapath.Proxy:
		one.proxied, one.refused = true, ""
	case !spec.Session.mayProxy():
		one.proxied = false
	default:
		was := one.proxied
		_, again := one.next(problem == "", now)
		p.lookAgain(again)
		if was && !one.proxied {
			one.backends = map[string]*fallback{}
			for _, b := range service.Backends { // the proxy continues for those that still need it
				_, can := spec.Session.Backends[b.ID]
				one.backends[b.ID] = &fallback{proxied: !can}
			}
		}
	}
	if one.proxied {
		one.backends, one.proxiedBefore = nil, nil
		one.service = *service
		one.service.Delivery, one.service.Chooser = datapath.Proxy, datapath.BySession
		one.table.Set(p.tableOf(spec, &one.service, now))
	}
	return one.proxied
}

func (s *Session) mayProxy() bool { return slices.Contains(s.Fallbacks, fallbackProxy) }

// tableOf returns how the clients of a service return by the proxy: to each backend that is up.
func (p *placing) tableOf(spec *Service, service *datapath.Service, now time.Time) proxied.Service {
	all, resumes := map[string]SessionBackend{}, map[string]bool{}
	for _, b := range service.Backends {
		all[b.ID] = SessionBackend{Names: spec.Session.Backends[b.ID].Names}
		resumes[b.ID] = spec.Session.keepsClients(b)
	}
	known, former := p.learner.of(spec, all, now)
	table := proxied.Service{Names: map[names.Name]string{}, Former: map[names.Name]struct{}{}, Resumes: resumes, IDs: spec.Session.IDs, Lifetime: spec.Session.Tickets}
	for backend, list := range known {
		for _, name := range list {
			table.Names[name] = backend
		}
	}
	for _, name := range former {
		table.Former[name] = struct{}{}
	}
	return table
}

// refuse returns the services with those that the proxy can't carry placed one by one.
func (p *placing) refuse(refused map[datapath.Key]string, services []datapath.Service) []datapath.Service {
	if len(refused) == 0 {
		return services
	}
	services = slices.Clone(services)
	for i := range services {
		reason, is := refused[services[i].Key]
		one := p.fallbacks[services[i].Key]
		if !is || one == nil {
			continue
		}
		if part, shared := p.parts[services[i].Key]; shared {
			one.refuseBackends(reason, time.Now())
			p.lookAgain(time.Second) // there may be no other backend
			delete(p.parts, services[i].Key)
			services[i], p.chosen[services[i].Key] = part.whole, part.program
			continue
		}
		one.refused, one.retries = reason, time.Now().Add(proxyRetryAfter)
		if one.plain.Delivery.KeepsPacket() { // the others stay failures of the proxy
			one.proxied = false
			p.lookAgain(proxyRetryAfter)
			services[i] = one.plain
		}
		p.problems[one.plain.Key] = one.problem + one.meanwhile(true)
	}
	return services
}

// tables returns the sessions of the services that the proxy carries.
func (p *placing) tables() map[datapath.Key]*proxied.Table {
	all := map[datapath.Key]*proxied.Table{}
	for key, one := range p.fallbacks {
		if _, is := p.parts[key]; is || one.proxied {
			all[key] = one.table
		}
	}
	return all
}

// forget drops the state of services that aren't in the spec any more.
func (p *placing) forget(desired Desired) {
	maps.DeleteFunc(p.fallbacks, func(key datapath.Key, one *fallback) bool {
		spec := desired.service(key)
		gone := spec == nil || spec.Session == nil
		if gone {
			one.table.Close()
		}
		return gone
	})
}

// fallbackIn returns what carries a service that isn't placed by session; "" if it is, or if nothing does.
func (p *placing) fallbackIn(service datapath.Key) string {
	switch one := p.fallbacks[service]; {
	case p.problems[service] == "":
		return ""
	case p.parts[service].service.Backends != nil: // only the proxy takes connections
		return fallbackProxy
	case one != nil && one.proxied && one.refused != "":
		return "" // nothing carries it
	case one != nil && one.proxied:
		return fallbackProxy
	}
	return fallbackPlain
}
