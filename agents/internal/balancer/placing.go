package balancer

import (
	"cmp"
	"fmt"
	"maps"
	"net/netip"
	"reflect"
	"slices"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/hostaddress"
	"fairlead.dev/agents/internal/session/cookie"
	"fairlead.dev/agents/internal/session/replica"
)

// sessionPort is where companions send their messages. It is the same on every replica.
const sessionPort = 7447

// placer places connections by session, next to an engine. [replica.Replica] is one.
type placer interface {
	Set(services []replica.Service) error
	Observe() (replica.Counts, error)
	LacksIDs(service datapath.Key) (backends []string)
	Close() error
}

// placing is which services of an engine place connections by session.
type placing struct {
	name          string // of the engine
	engine        datapath.Engine
	interfaceName string
	learner       *learner

	placer   placer           // nil while no service needs it
	listens  []netip.AddrPort // where, one address of each family
	problem  string           // why no service can, as a sentence
	problems map[datapath.Key]string
	chosen   map[datapath.Key]replica.Service // for the next set
	carried  map[datapath.Key]replica.Service // as last set

	turnovers map[datapath.Key]*cookie.Turnover // of the keys of services by session

	fallbacks    map[datapath.Key]*fallback // of services by session
	resumesProxy bool                       // a former process carried services by the proxy
	again        func(time.Duration)        // makes the loop choose again then
	againAt      time.Time                  // when that is due
}

func (d *Driver) newPlacing(name string, engine datapath.Engine) *placing {
	return &placing{
		name: name, engine: engine, interfaceName: d.options.Engine.Interface, learner: d.learner, again: d.lookAgainIn,
		carried: map[datapath.Key]replica.Service{}, fallbacks: map[datapath.Key]*fallback{},
	}
}

// lookAgain makes the loop choose again after this time. 0 is not needed.
func (p *placing) lookAgain(span time.Duration) {
	at := time.Now().Add(span)
	if span == 0 || !p.againAt.Before(time.Now()) && p.againAt.Before(at) {
		return
	}
	p.againAt = at
	p.again(span + time.Millisecond)
}

// choose returns the services as the engine should carry them: those that can place connections by
// session, and the others each on its own.
func (p *placing) choose(desired Desired, services []datapath.Service) []datapath.Service {
	p.problem, p.problems, p.chosen = "", map[datapath.Key]string{}, map[datapath.Key]replica.Service{}
	out, used, turnovers, now := slices.Clone(services), 0, map[datapath.Key]*cookie.Turnover{}, time.Now()
	for i := range out {
		service := &out[i]
		spec := desired.service(service.Key)
		switch {
		case spec == nil || spec.Session == nil && !service.Delivery.KeepsPacket():
			continue // it is carried as before
		case spec.Session == nil:
			service.Chooser = datapath.Agreed
			continue
		}
		service.Chooser = datapath.Agreed
		turnovers[service.Key] = cmp.Or(p.turnovers[service.Key], &cookie.Turnover{})
		one := p.fallbackOf(service.Key)
		problem := p.whyNot(spec, service, used)
		if problem == "" && !one.stays(now) {
			problem = p.open()
		}
		if p.decide(spec, service, problem, now) {
			p.problems[service.Key] = cmp.Or(problem, takenAgain) + one.meanwhile(true)
			*service = one.service
			continue
		}
		if problem != "" {
			p.problems[service.Key] = problem + one.meanwhile(spec.Session.mayProxy())
			continue
		}
		used += len(spec.Session.Backends)
		*service = spec.Session.bySession(*service)
		p.chosen[service.Key] = p.serviceOf(spec, service, turnovers[service.Key].Use(spec.Session.Keys, now), now)
	}
	p.turnovers, p.resumesProxy = turnovers, false
	p.forget(desired)
	return out
}

const takenAgain = "A backend takes connections by TLS session again. The proxy ends once that has lasted for a minute."

// whyNot returns why a service can't place connections by session, as a sentence. used are the
// backends that other services have in the program.
func (p *placing) whyNot(spec *Service, service *datapath.Service, used int) string {
	switch {
	case !spec.Wanted.Delivery.KeepsPacket():
		return "The delivery changes packets, so no backend can take connections by TLS session."
	case len(spec.Session.Backends) > 0 && !slices.ContainsFunc(service.Backends, spec.Session.takes):
		return "Each backend with an agent of the role backend is down, or takes no new connections: start the server, or set the backend to active."
	case len(spec.Session.Backends) == 0:
		return "No backend takes connections by TLS session: start the agent of the role backend next to the servers."
	case len(p.chosen) == replica.ServicesMost || used+len(spec.Session.Backends) > replica.BackendsMost:
		return fmt.Sprintf("A replica places connections by TLS session for %d services with %d backends in all: spread them over more load balancers.", replica.ServicesMost, replica.BackendsMost)
	}
	if err := checkPlacer(p.engine); err != nil {
		return p.cannot(err)
	}
	return ""
}

func (p *placing) cannot(err error) string {
	p.problem = sentence(fmt.Errorf("the engine %s can't place connections by TLS session here: %w", p.name, err))
	return p.problem
}

// open makes sure that a placer runs, at the current addresses of the interface, and returns why none
// can, as a sentence.
func (p *placing) open() string {
	listens, err := listensOf(p.interfaceName)
	switch {
	case err != nil:
	case p.placer != nil && slices.Equal(listens, p.listens):
		return ""
	default:
		if err = p.close(); err == nil {
			p.placer, err = openPlacer(p.engine, listens, p.learner.wake)
		}
		p.listens = listens
	}
	if err != nil {
		return p.cannot(err)
	}
	return ""
}

// listensOf returns where a replica listens, at an address of each family of its interface.
func listensOf(interfaceName string) (listens []netip.AddrPort, err error) {
	found, err := hostaddress.Of(interfaceName)
	for _, address := range found.All() {
		listens = append(listens, netip.AddrPortFrom(address, sessionPort))
	}
	if err == nil && len(listens) == 0 {
		err = fmt.Errorf("%s has no address at which companions reach this replica; give it one", interfaceName)
	}
	return listens, err
}

// prepare adds what the engine is about to carry, so that no packet has to wait for set.
func (p *placing) prepare(services []datapath.Service) error {
	if p.placer == nil {
		return nil
	}
	next, isNew := maps.Clone(p.carried), false
	for _, service := range services {
		one, chosen := p.chosen[service.Key]
		if _, carries := p.carried[service.Key]; chosen && !carries {
			next[service.Key], isNew = one, true
		}
	}
	if !isNew {
		return nil
	}
	return p.setPlacer(next)
}

// set follows each Set of the engine, which carries these services now, except for those that failed
// and are carried as before.
func (p *placing) set(services []datapath.Service, failures []datapath.Failure) error {
	if p.placer == nil {
		return nil
	}
	next := map[datapath.Key]replica.Service{}
	for _, service := range services {
		before, carries := p.carried[service.Key]
		one, chosen := p.chosen[service.Key]
		asBefore := slices.ContainsFunc(failures, func(f datapath.Failure) bool { return f.Service == service.Key && f.Backend == "" && f.Previous })
		switch {
		case isProxied(&service):
		case carries && (asBefore || service.Chooser == datapath.BySession && !chosen): // it may be about to leave
			next[service.Key] = before
		case chosen && service.Chooser == datapath.BySession:
			next[service.Key] = one
		}
	}
	if err := p.setPlacer(next); err != nil {
		return err
	}
	if len(next) == 0 {
		return p.close()
	}
	return nil
}

func (p *placing) setPlacer(next map[datapath.Key]replica.Service) error {
	if err := p.placer.Set(fitNames(next)); err != nil {
		return err
	}
	p.carried = next
	return nil
}

// isCarried reports whether the program has all services that it should have. It doesn't after it was
// opened again.
func (p *placing) isCarried() bool {
	for key := range p.chosen {
		if _, carries := p.carried[key]; !carries {
			return false
		}
	}
	return true
}

// refresh applies names that were learned since.
func (p *placing) refresh(desired Desired, now time.Time) error {
	for key, one := range p.fallbacks {
		if spec := desired.service(key); one.proxied && spec != nil && spec.Session != nil {
			one.table.Set(p.tableOf(spec, &one.service, now))
		}
	}
	if p.placer == nil {
		return nil
	}
	next, changed := maps.Clone(p.carried), false
	for key, before := range p.carried {
		spec := desired.service(key)
		if spec == nil || spec.Session == nil {
			continue
		}
		known, former := p.learner.of(spec, spec.Session.Backends, now)
		one := before
		one.Former, one.Backends = namesFor(former), slices.Clone(before.Backends)
		for i := range one.Backends {
			one.Backends[i].Names = namesFor(known[one.Backends[i].ID])
		}
		changed = changed || !reflect.DeepEqual(one, before)
		next[key] = one
	}
	if !changed {
		return nil
	}
	return p.setPlacer(next)
}

// close ends the agent's part. The kernel continues to place connections.
func (p *placing) close() error {
	if p.placer == nil {
		return nil
	}
	err := p.placer.Close()
	p.placer, p.carried = nil, map[datapath.Key]replica.Service{}
	return err
}
