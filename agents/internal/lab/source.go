package lab

import (
	"cmp"
	"net/netip"
	"slices"
	"time"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/lab/topology"
)

// Source returns what every balancer should carry. The lab's own pods are one; with a control plane
// none is needed, because it configures the agents.
type Source interface {
	// Services are the current services, with all their backends.
	Services(now time.Time) []*agentv1.BalancerService
}

// pods is the source that follows the lab's pods. A new pod is filling, because it has no old
// connections; a removed pod drains for a while. A balancer that has never seen a connection then chooses
// correctly.
type pods struct {
	lab      string
	services []topology.Service
	members  map[string]*podEntry
	sessions sessions
}

type podEntry struct {
	topology.Pod
	number    uint32 // of services by session
	addresses []netip.Addr
	since     time.Time // when it was added or last started to leave; zero if it was there from the start
	leaving   bool
}

func newPods(t *topology.Topology) *pods {
	return &pods{lab: t.Name, services: t.Services, members: map[string]*podEntry{}, sessions: newSessions(t.Services)}
}

// add makes a pod a backend of its group's services. The initial pods pass the zero time: no older
// connections exist.
func (p *pods) add(pod topology.Pod, addresses []netip.Addr, now time.Time) {
	p.members[pod.Name] = &podEntry{Pod: pod, number: p.sessions.nextNumber(), addresses: addresses, since: now}
}

// leave lets a pod keep its connections and take no new ones.
func (p *pods) leave(name string, now time.Time) {
	if entry := p.members[name]; entry != nil && !entry.leaving {
		entry.leaving, entry.since = true, now
	}
}

// stay cancels a pod's leaving. While it still has its old connections it becomes active again; later it is
// treated as new.
func (p *pods) stay(name string, now time.Time) {
	entry := p.members[name]
	if entry == nil || !entry.leaving {
		return
	}
	since := time.Time{}
	for _, service := range p.services {
		if service.Group == entry.Group && entry.state(service, now) == "inactive" {
			since = now
		}
	}
	entry.leaving, entry.since = false, since
}

func (p *pods) remove(name string) { delete(p.members, name) }

// gone reports that no service sends to a pod any more.
func (p *pods) gone(name string, now time.Time) bool {
	entry := p.members[name]
	if entry == nil {
		return true
	}
	for _, service := range p.services {
		if service.Group == entry.Group && entry.state(service, now) != "inactive" {
			return false
		}
	}
	return entry.leaving
}

// longest is how long a leaving pod is kept.
func (p *pods) longest(name string) time.Duration {
	var longest time.Duration
	for _, service := range p.services {
		if entry := p.members[name]; entry != nil && service.Group == entry.Group {
			longest = max(longest, service.Drain)
		}
	}
	return longest
}

func (e *podEntry) state(service topology.Service, now time.Time) string {
	age := now.Sub(e.since)
	switch {
	case e.leaving && age >= service.Drain:
		return "inactive"
	case e.leaving:
		return "draining"
	case !e.since.IsZero() && age < service.Fill:
		return "filling"
	}
	return "active"
}

// Services are one per service and family, in the topology's order.
func (p *pods) Services(now time.Time) []*agentv1.BalancerService {
	var services []*agentv1.BalancerService
	for _, service := range p.services {
		for _, address := range service.Addresses() {
			services = append(services, p.service(service, address, now))
		}
	}
	return services
}

func (p *pods) service(service topology.Service, address netip.Addr, now time.Time) *agentv1.BalancerService {
	family := "ipv6"
	if address.Is4() {
		family = "ipv4"
	}
	described := &agentv1.BalancerService{
		LoadBalancerId: "lb_" + p.lab + "_" + service.Name + "_" + family, ExposureId: "exp_" + p.lab + "_" + service.Name,
		Address: address.String(), Port: uint32(service.Port), Protocol: service.Serve.Protocol(),
		Delivery: service.Delivery, Scheduler: service.Scheduler, ProxyProtocol: service.ProxyProtocol,
		HealthCheck: healthCheck(service), Session: p.sessions.of(service),
	}
	for _, entry := range p.members {
		for _, own := range entry.addresses {
			if entry.Group == service.Group && own.Is4() == address.Is4() {
				backend := &agentv1.BalancerBackend{
					Id: entry.Name, Address: own.String(), Port: uint32(service.Port), Weight: uint32(entry.Weight), State: entry.state(service, now),
				}
				if service.Zone != "" {
					backend.ServerNames = []string{service.ServerName(entry.Name)}
				}
				if service.Session {
					backend.Session = &agentv1.SessionBackend{Number: entry.number, Companion: entry.companion()}
				}
				described.Backends = append(described.Backends, backend)
			}
		}
	}
	slices.SortFunc(described.Backends, func(a, b *agentv1.BalancerBackend) int { return cmp.Compare(a.Id, b.Id) })
	return described
}

func healthCheck(service topology.Service) *agentv1.HealthCheck {
	check := service.Check
	if check.Type == "" {
		return nil
	}
	described := &agentv1.HealthCheck{
		Type: check.Type, Path: check.Path,
		IntervalMs: uint32(check.Interval.Milliseconds()), TimeoutMs: uint32(check.Timeout.Milliseconds()),
		Rise: check.Rise, Fall: check.Fall,
	}
	if check.Type == "udp" {
		described.Send = []byte("who\n")
	}
	return described
}

// stateOf is a pod's state in the service that keeps it longest.
func (p *pods) stateOf(name string, now time.Time) string {
	entry := p.members[name]
	if entry == nil {
		return "gone"
	}
	state := "inactive"
	for _, service := range p.services {
		if s := entry.state(service, now); service.Group == entry.Group && s != "inactive" {
			state = s
		}
	}
	return state
}
