package balancer

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/events"
	"fairlead.dev/agents/internal/session/proxied"
)

// proxyEngine carries the services that fall back to a proxy.
const proxyEngine = "userspace"

// sessionProxy is a proxy that places connections by TLS session.
type sessionProxy interface {
	datapath.Engine
	PlaceBySession(tables map[datapath.Key]*proxied.Table)
}

// proxy is a proxy next to the engine, for services that fall back to it. The driver has one.
type proxy struct {
	open    func() (sessionProxy, error)
	note    func(runs bool) // for the next process
	engine  sessionProxy    // nil while nothing falls back
	carried []datapath.Service
	failed  error // why it could not be opened
}

func (d *Driver) newProxy() *proxy {
	return &proxy{note: d.noteProxy, open: func() (sessionProxy, error) {
		at := slices.IndexFunc(d.options.Candidates, func(c datapath.Candidate) bool { return c.Name == proxyEngine })
		if at < 0 {
			return nil, fmt.Errorf("this agent has no engine %s", proxyEngine)
		}
		if err := d.options.Candidates[at].Preflight(d.options.Engine); err != nil {
			return nil, err
		}
		engine, err := d.options.Candidates[at].Open(d.options.Engine)
		if err != nil {
			return nil, err
		}
		with, ok := engine.(sessionProxy)
		if !ok {
			return nil, errors.Join(fmt.Errorf("the engine %s can't place connections by TLS session", proxyEngine), engine.Close())
		}
		return with, nil
	}}
}

// noteProxy records whether the proxy runs. A full disk must not stop traffic.
func (d *Driver) noteProxy(runs bool) {
	if err := d.remember(proxyEngine, runs); err != nil {
		d.news.Record(events.Event{Reason: EngineFailed, Warning: true, Message: fmt.Sprintf("Whether a proxy carries services could not be recorded, so a restart may leave the addresses that it added to this host: %v.", err)})
	}
}

// isProxied reports whether a service falls back to a proxy.
func isProxied(s *datapath.Service) bool {
	return s.Chooser == datapath.BySession && s.Delivery == datapath.Proxy
}

// split returns the services of the engine, and those of the proxy next to it: none if the engine is
// a proxy itself.
func split(engine datapath.Engine, services []datapath.Service) (own, others []datapath.Service) {
	if _, is := engine.(sessionProxy); is {
		return services, nil
	}
	for i := range services {
		if isProxied(&services[i]) {
			others = append(others, services[i])
		} else {
			own = append(own, services[i])
		}
	}
	return own, others
}

// prepare makes the proxy listen for what the engine is about to give up, so that clients find one of
// the two at any time. It returns why some services can't be carried there.
func (p *proxy) prepare(ctx context.Context, wanted []datapath.Service, tables map[datapath.Key]*proxied.Table) (changes int, refused map[datapath.Key]string, err error) {
	fresh := slices.ContainsFunc(wanted, func(s datapath.Service) bool {
		was := find(p.carried, s.Key)
		return was == nil || !was.Equal(&s)
	})
	if !fresh {
		return 0, nil, nil
	}
	refused = map[datapath.Key]string{}
	if p.engine == nil {
		if p.engine, p.failed = p.open(); p.failed != nil {
			p.engine = nil
			for _, one := range wanted {
				refused[one.Key] = p.failed.Error()
			}
			return 0, refused, nil
		}
		p.note(true)
	}
	all := slices.Clone(wanted)
	for _, one := range p.carried {
		if find(wanted, one.Key) == nil {
			all = append(all, one)
		}
	}
	slices.SortFunc(all, func(a, b datapath.Service) int { return compareKeys(a.Key, b.Key) })
	outcome, err := p.set(ctx, all, tables)
	for _, failure := range outcome.Failures {
		if failure.Backend == "" {
			refused[failure.Service] = failure.Reason
		}
	}
	return outcome.Changes, refused, err
}

// finish makes the proxy carry only what the engine doesn't.
func (p *proxy) finish(ctx context.Context, wanted []datapath.Service, tables map[datapath.Key]*proxied.Table) (datapath.Outcome, error) {
	switch {
	case p.engine == nil:
		var none datapath.Outcome
		for _, one := range wanted {
			none.Failures = append(none.Failures, datapath.Failure{Service: one.Key, Reason: fmt.Sprintf("the proxy next to the engine can't be opened: %v", p.failed)})
		}
		return none, nil
	case len(wanted) == 0:
		return datapath.Outcome{Changes: len(p.carried)}, p.remove()
	}
	outcome, err := p.set(ctx, wanted, tables)
	for i := range outcome.Failures {
		outcome.Failures[i].OfEngine = false // another engine would have the same proxy next to it
	}
	return outcome, err
}

func (p *proxy) set(ctx context.Context, services []datapath.Service, tables map[datapath.Key]*proxied.Table) (datapath.Outcome, error) {
	p.engine.PlaceBySession(maps.Clone(tables))
	outcome, err := p.engine.Set(ctx, services)
	if err != nil {
		return outcome, fmt.Errorf("the proxy next to the engine: %w", err)
	}
	p.carried = slices.DeleteFunc(slices.Clone(services), func(s datapath.Service) bool {
		return slices.ContainsFunc(outcome.Failures, func(f datapath.Failure) bool { return f.Service == s.Key && f.Backend == "" && !f.Previous })
	})
	return outcome, nil
}

// observe adds what the proxy carries.
func (p *proxy) observe(ctx context.Context, seen datapath.Observed) (datapath.Observed, error) {
	if p.engine == nil {
		return seen, nil
	}
	also, err := p.engine.Observe(ctx)
	if err != nil {
		return seen, fmt.Errorf("observe the proxy next to the engine: %w", err)
	}
	seen.Services = slices.Clone(seen.Services)
	for _, one := range also.Services {
		at := slices.IndexFunc(seen.Services, func(s datapath.ServiceCounts) bool { return s.Key == one.Key })
		if at < 0 {
			seen.Services = append(seen.Services, one)
		} else {
			seen.Services[at].Backends = mergeCounts(seen.Services[at].Backends, one.Backends)
		}
	}
	slices.SortFunc(seen.Services, func(a, b datapath.ServiceCounts) int { return compareKeys(a.Key, b.Key) })
	seen.Warnings = append(slices.Clone(seen.Warnings), also.Warnings...)
	return seen, nil
}

// mergeCounts returns the counts of backends with those of their connections by the proxy, which is itself a backend of
// the engine.
func mergeCounts(byEngine, byProxy []datapath.BackendCounts) (all []datapath.BackendCounts) {
	for _, one := range byEngine {
		if one.ID == proxyBackend {
			continue
		}
		if at := slices.IndexFunc(byProxy, func(b datapath.BackendCounts) bool { return b.ID == one.ID }); at >= 0 {
			one.Counts = sumOf(one.Counts, byProxy[at].Counts)
		}
		all = append(all, one)
	}
	return all
}

// sumOf has what clients sent. Replies of the one bypass the engine.
func sumOf(a, b datapath.Counts) datapath.Counts {
	a.Packets, a.Bytes = a.Packets+b.Packets, a.Bytes+b.Bytes
	a.Connections, a.LiveConnections = a.Connections+b.Connections, a.LiveConnections+b.LiveConnections
	a.SetupNanoseconds.Merge(b.SetupNanoseconds)
	a.FirstByteNanoseconds.Merge(b.FirstByteNanoseconds)
	return a
}

// remove ends the proxy and its connections.
func (p *proxy) remove() error {
	if p.engine == nil {
		return nil
	}
	err := errors.Join(p.engine.Remove(), p.engine.Close())
	p.engine, p.carried = nil, nil
	if err != nil {
		return fmt.Errorf("remove the proxy next to the engine: %w", err)
	}
	p.note(false)
	return nil
}

// close ends the proxy's connections. The next process removes what it added to this host.
func (p *proxy) close() error {
	if p.engine == nil {
		return nil
	}
	err := p.engine.Close()
	p.engine, p.carried = nil, nil
	return err
}
