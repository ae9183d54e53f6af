package balancer

import (
	"context"
	"fmt"
	"slices"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/events"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/health"
)

// Observed is the observed state of the role.
type Observed struct {
	On       bool
	Engine   string
	Status   *agentv1.BalancerStatus // nil while the role is off
	Series   []*agentv1.SeriesPoints
	Warnings []string
	Carried  []datapath.Key // as the data path reports it
}

// Observe reads the state and the counts of the data path.
func (d *Driver) Observe(ctx context.Context) (Observed, error) {
	if d.running == nil {
		d.figures.forget()
		return d.withoutEngine(), nil
	}
	seen, err := d.running.engine.Observe(ctx)
	if err != nil {
		return Observed{}, fmt.Errorf("observe %s: %w", d.running.choice.Candidate.Name, err)
	}
	if seen, err = d.proxy.observe(ctx, seen); err != nil {
		return Observed{}, err
	}
	d.reportHealth(time.Now())
	observed := Observed{On: true, Engine: d.running.choice.Candidate.Name, Warnings: slices.Concat(seen.Warnings, d.desired.Warnings)}
	for _, service := range seen.Services {
		observed.Carried = append(observed.Carried, service.Key)
	}
	if h := d.running.handover; h != nil {
		if trouble := h.exchange.Trouble(); trouble != "" {
			observed.Warnings = append(observed.Warnings, trouble)
		}
		d.reportUnacked(h)
	}
	if d.options.ProbeWarning != nil {
		if warning := d.options.ProbeWarning(); warning != "" {
			observed.Warnings = append(observed.Warnings, warning)
		}
	}
	if warning := d.running.placing.entryWarning(); warning != "" {
		observed.Warnings = append(observed.Warnings, warning)
	}
	if !fewBackends(seen) {
		observed.Warnings = append(observed.Warnings, fmt.Sprintf(
			"%d backends are carried here: charts by backend are limited to %d, so there are only charts by load balancer.", backendsOf(seen), backendSeriesMost))
	}
	if d.figures.sessions, err = d.running.placing.observe(); err != nil {
		return Observed{}, fmt.Errorf("observe sessions: %w", err)
	}
	observed.Status = d.status(seen)
	observed.Series = d.figures.points(d.desired.Services, seen, time.Now())
	return observed, nil
}

// reportUnacked reports how many connections since the last call have a flow that some
// peer didn't acknowledge in time.
func (d *Driver) reportUnacked(h *handover) {
	all := h.exchange.Unacked()
	if more := all - h.reportedUnacked; more > 0 {
		d.news.Record(events.Event{Reason: FlowsUnshared, Warning: true, Message: fmt.Sprintf("%d connections began before every other replica had acknowledged where they went, because one took longer than first packets are held: if this replica is lost at that moment, they break. A replica that acknowledges late is short of CPU.", more)})
	}
	h.reportedUnacked = all
}

// withoutEngine is the observed state when no engine is available.
func (d *Driver) withoutEngine() Observed {
	if d.failure == "" {
		return Observed{}
	}
	return Observed{Status: &agentv1.BalancerStatus{EngineReason: sentence(fmt.Errorf("%s", d.failure))}}
}

func (d *Driver) status(seen datapath.Observed) *agentv1.BalancerStatus {
	choice := d.running.choice
	status := &agentv1.BalancerStatus{Engine: choice.Candidate.Name, EngineReason: choice.Reason, Address: HostOf(d.options.Engine.Interface)}
	for _, refusal := range choice.Refused {
		status.Refused = append(status.Refused, &agentv1.EngineRefusal{Engine: refusal.Engine, Reason: refusal.Reason})
	}
	if !seen.LiveAt.IsZero() {
		// Its age, because the clock may have been changed since.
		status.LiveCountedAt = timestamppb.New(time.Now().Add(-time.Since(seen.LiveAt)))
	}
	if d.running.handover != nil {
		status.FlowAddress = d.running.handover.exchange.Address()
	}
	counts := make(map[datapath.Key]*datapath.ServiceCounts, len(seen.Services))
	for i := range seen.Services {
		counts[seen.Services[i].Key] = &seen.Services[i]
	}
	samples := d.clientSamples()
	if d.desired.bySession() {
		d.running.placing.findListens()
	}
	for i := range d.desired.Services {
		key := d.desired.Services[i].Wanted.Key
		service := d.serviceStatus(&d.desired.Services[i], counts[key])
		service.Clients = samples[key]
		status.Services = append(status.Services, service)
	}
	for _, one := range d.desired.Rejected {
		status.Services = append(status.Services, one.status())
	}
	return status
}

func (d *Driver) serviceStatus(service *Service, counts *datapath.ServiceCounts) *agentv1.BalancerServiceStatus {
	status := &agentv1.BalancerServiceStatus{
		LoadBalancerId: service.LoadBalancer, Address: service.Wanted.Key.Address.String(),
		Port: uint32(service.Wanted.Key.Port), Protocol: service.Wanted.Key.Protocol.String(),
	}
	live := map[string]uint64{}
	if counts != nil {
		for _, backend := range counts.Backends {
			live[backend.ID] = backend.Counts.LiveConnections
		}
	}
	path := d.pathOf(service)
	failing, notSet := d.failing[backendKey{service.Wanted.Key, ""}]
	backends := make([]datapath.Backend, 0, len(service.Wanted.Backends))
	for _, backend := range service.Wanted.Backends {
		if backend.Elsewhere {
			continue // replicas of its cluster report it
		}
		_, fails := d.failing[backendKey{service.Wanted.Key, backend.ID}]
		backend.Up = d.isUp(service, path, backend) && !fails
		backends = append(backends, backend)
		if notSet {
			continue // the control plane takes a reported backend for one that is set
		}
		status.Backends = append(status.Backends, d.backendStatus(service, path, backend, live[backend.ID]))
	}
	status.Session = d.sessionStatus(service, backends)
	status.Message = d.whyNotReady(service, backends, counts != nil)
	status.Ready = status.Message == ""
	if notSet && status.Ready {
		status.Message = "It is carried as before, because its new spec could not be set: " + failing.reason + "."
	}
	return status
}

func (d *Driver) backendStatus(service *Service, path health.Path, backend datapath.Backend, live uint64) *agentv1.BalancerBackendStatus {
	status := &agentv1.BalancerBackendStatus{Id: backend.ID, Health: string(health.Unknown), LiveConnections: live}
	if failing, fails := d.failing[backendKey{service.Wanted.Key, backend.ID}]; fails {
		status.Health, status.Message, status.Since = string(health.Down), failing.reason, timestamppb.New(failing.since)
		return status
	}
	state, checked := d.condition(service, path, backend)
	if !checked {
		return status
	}
	status.Health, status.Message = string(state.Health), state.Message
	if !state.Since.IsZero() {
		status.Since = timestamppb.New(state.Since)
	}
	return status
}

// whyNotReady returns "" for a service that is carried and has a backend for new
// connections.
func (d *Driver) whyNotReady(service *Service, backends []datapath.Backend, carried bool) string {
	failing, fails := d.failing[backendKey{service.Wanted.Key, ""}]
	switch {
	case !carried && fails:
		return "The data path doesn't carry it: " + failing.reason + "."
	case !carried && d.failure != "":
		return "The data path doesn't carry it: " + d.failure + "."
	case !carried:
		return "The data path doesn't carry it yet."
	case len(backends) == 0:
		return "It has no backends."
	case !d.running.placing.hasService(service.Wanted.Key):
		return "Connections can't be placed by TLS session yet. It is tried again soon."
	case len(datapath.Fresh(backends)) > 0:
		return d.whyIDs(service.Wanted.Key)
	}
	up := 0
	for _, backend := range backends {
		if backend.Up {
			up++
		}
	}
	if up == 0 {
		return fmt.Sprintf("None of its %d backends is up.", len(backends))
	}
	return fmt.Sprintf("None of its %d backends takes new connections: those that are up are draining or inactive.", len(backends))
}
