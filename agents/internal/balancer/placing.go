package balancer

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/hostaddress"
	"fairlead.dev/agents/internal/session/cookie"
	"fairlead.dev/agents/internal/session/ids"
	"fairlead.dev/agents/internal/session/proxied"
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
	replica       string // its name
	adaptivePins  string // folder of this node's agent of the role adaptive
	learner       *learner

	placer      placer           // nil while no service needs it
	listens     []netip.AddrPort // where, one address of each family
	wouldListen []netip.AddrPort // the same while no service needs it, as of the last report
	listensOf   func(interfaceName string) ([]netip.AddrPort, error)
	problem     string // why no service can, as a sentence
	problems    map[datapath.Key]string
	chosen      map[datapath.Key]replica.Service // for the next set
	carried     map[datapath.Key]replica.Service // as last set

	turnovers map[datapath.Key]*cookie.Turnover // of the keys of services by session

	fallbacks map[datapath.Key]*fallback // of services by session
	ids       *proxied.Room              // of those that a proxy carries
	before    []storedFallback           // what they were, as of an earlier engine or process
	again     func(time.Duration)        // makes the loop choose again then
	againAt   time.Time                  // when that is due

	parts     map[datapath.Key]proxyPart // services of which the proxy carries a part, for the next set
	partsLast map[datapath.Key]proxyPart // as last set
	handoffs  *handoffs

	pause time.Duration // until the program is set again, after a failure; 0: it was set

	entry byCost // nil while no service is placed by cost
}

func (d *Driver) newPlacing(name string, engine datapath.Engine) *placing {
	return &placing{
		name: name, engine: engine, listensOf: listensOf, interfaceName: d.options.Engine.Interface, replica: d.options.Engine.Name, adaptivePins: d.options.AdaptivePins, learner: d.learner, again: d.lookAgainIn,
		carried: map[datapath.Key]replica.Service{}, fallbacks: map[datapath.Key]*fallback{}, ids: ids.NewRoom[string](), before: d.fallbacks, handoffs: d.handoffs,
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
	p.problem, p.problems, p.chosen, p.parts = "", map[datapath.Key]string{}, map[datapath.Key]replica.Service{}, map[datapath.Key]proxyPart{}
	out, used, turnovers, now := slices.Clone(services), 0, map[datapath.Key]*cookie.Turnover{}, time.Now()
	for i := range out {
		service := &out[i]
		spec := desired.service(service.Key)
		switch {
		case spec == nil || spec.Session == nil && !service.Delivery.KeepsPacket():
			continue // it is carried as before
		case spec.Session == nil:
			service.Chooser = spec.Wanted.Chooser
			continue
		}
		service.Chooser = datapath.Agreed
		turnovers[service.Key] = cmp.Or(p.turnovers[service.Key], &cookie.Turnover{})
		one := p.fallbackOf(service.Key)
		problem, none := p.whyNot(spec, service, used), whyNone(spec, service)
		onlyProxy := none != "" && problem == none && !one.proxied && p.proxyTakes(one, spec, service, used)
		if onlyProxy {
			problem = ""
		}
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
		*service = p.bySession(spec, *service, turnovers[service.Key].Use(spec.Session.Keys, now), now)
		used += len(p.chosen[service.Key].Backends)
		if onlyProxy {
			p.problems[service.Key] = none + byProxy
		}
	}
	p.turnovers = turnovers
	p.forget(desired)
	return out
}

const takenAgain = "A backend takes connections by TLS session again. The proxy ends once that has lasted for a minute."

// whyNot returns why a service can't place connections by session, as a sentence. used are the
// backends that other services have in the program.
func (p *placing) whyNot(spec *Service, service *datapath.Service, used int) string {
	if !spec.Wanted.Delivery.KeepsPacket() {
		return "The delivery changes packets, so no backend can take connections by TLS session."
	}
	return cmp.Or(whyNone(spec, service), p.whyNotHere(spec, used))
}

// whyNone returns why no backend takes connections by session.
func whyNone(spec *Service, service *datapath.Service) string {
	switch {
	case slices.ContainsFunc(service.Backends, spec.Session.takes):
		return ""
	case len(spec.Session.Backends) > 0:
		return "Each backend with an agent of the role backend is down, or takes no new connections: start the server, or set the backend to active."
	}
	return "No backend takes connections by TLS session: start the agent of the role backend next to the servers."
}

func (p *placing) whyNotHere(spec *Service, used int) string {
	if spec.Session.mayProxy() {
		used++ // the proxy is a backend, too
	}
	if len(p.chosen) == replica.ServicesMost || used+len(spec.Session.Backends) > replica.BackendsMost {
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
	listens, err := p.listensOf(p.interfaceName)
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

// inFamily returns the one of these with the family of an address, or the first one.
func inFamily(listens []netip.AddrPort, of netip.Addr) netip.AddrPort {
	at := slices.IndexFunc(listens, func(one netip.AddrPort) bool { return one.Addr().Is4() == of.Is4() })
	return listens[max(at, 0)]
}

// close ends the agent's part. The kernel continues to place connections.
func (p *placing) close() error {
	if p.placer == nil {
		return nil
	}
	err := p.placer.Close()
	p.placer, p.carried, p.pause = nil, map[datapath.Key]replica.Service{}, 0
	return err
}

// end ends all parts of the agent.
func (p *placing) end() error {
	p.closeEntry()
	return p.close()
}
