package balancer

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/events"
	"fairlead.dev/agents/internal/session/replica"
)

// How long the program waits until it is set again after a failure. The pauses grow.
const (
	pauseLeast = time.Second
	pauseMost  = 30 * time.Second
)

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
	return errors.Join(p.setEntry(services), p.setSessions(services, failures))
}

func (p *placing) setSessions(services []datapath.Service, failures []datapath.Failure) error {
	if p.placer == nil {
		return p.setParts(services)
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
		return err // the program may send to the proxy as before
	}
	err := p.setParts(services)
	if len(next) == 0 {
		err = errors.Join(err, p.close())
	}
	return err
}

func (p *placing) setPlacer(next map[datapath.Key]replica.Service) error {
	if err := p.placer.Set(fitNames(next)); err != nil {
		p.pause = min(max(2*p.pause, pauseLeast), pauseMost)
		p.lookAgain(p.pause)
		return err
	}
	p.carried, p.pause = next, 0
	return nil
}

// isCarried reports whether the program has all services that it should have. It doesn't after it was
// opened again, or could not be set.
func (p *placing) isCarried() bool {
	if p.pause > 0 || !p.sameParts() {
		return false
	}
	for key := range p.chosen {
		if !p.hasService(key) {
			return false
		}
	}
	return true
}

// hasService reports whether the program has a service, if it should.
func (p *placing) hasService(key datapath.Key) bool {
	_, chosen := p.chosen[key]
	_, carries := p.carried[key]
	return carries || !chosen
}

// refresh applies names that were learned since.
func (p *placing) refresh(desired Desired, now time.Time) error {
	for key, one := range p.fallbacks {
		spec := desired.service(key)
		if spec == nil || spec.Session == nil {
			continue
		}
		if part, is := p.parts[key]; is {
			one.table.Set(p.tableOf(spec, &part.service, now))
		} else if one.proxied {
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
		known, former := p.namesOf(spec, spec.Session.clientsOf(p.parts[key].service.Backends), now)
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

// setPlacing follows each Set of the running engine.
func (d *Driver) setPlacing() error {
	placing := d.running.placing
	err := placing.set(d.running.services, d.running.failures)
	if err == nil && !placing.handsOff() && d.handoffs.running != nil {
		err = d.handoffs.remove()
	}
	return err
}

// reportPlacing reports once that the program could not be set, which is repeated soon. The engine
// carries the services already.
func (d *Driver) reportPlacing(err error) {
	text := ""
	if err != nil {
		text = fmt.Sprintf("Connections can't be placed as the config requires, which is tried again: %v.", err)
	}
	if text != "" && text != d.notPlaced {
		d.news.Record(events.Event{Reason: EngineFailed, Warning: true, Message: text})
	}
	d.notPlaced = text
}
