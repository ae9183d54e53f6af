package balancer

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/events"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/session/names"
	"fairlead.dev/agents/internal/session/replica"
)

// learnNames probes servers for services that can use their names.
func (d *Driver) learnNames() {
	if placing := d.running.placing; placing.problem != "" && len(placing.tables()) == 0 {
		d.learner.set(nil)
		return
	}
	d.learner.set(d.desired.Services)
}

// applyNames applies and reports what was learned since.
func (d *Driver) applyNames(now time.Time) error {
	if !d.learner.stale.Swap(false) {
		return nil
	}
	for _, event := range d.learner.take() {
		d.reportName(event, now)
	}
	for _, event := range d.learner.foreign(d.desired.Services, now) {
		d.news.Record(event)
	}
	err := d.running.placing.refresh(d.desired, now)
	if err != nil {
		d.learner.stale.Store(true) // at the next wake
	}
	return err
}

var nameReasons = map[names.Change]string{
	names.Learned: TicketNameLearned, names.Renamed: TicketNameChanged, names.Shared: TicketNamesShared, names.Lacking: TicketNameLacking,
}

func (d *Driver) reportName(event names.Event, now time.Time) {
	for i := range d.desired.Services {
		service := &d.desired.Services[i]
		if service.Wanted.Key.String() != event.Group {
			continue
		}
		as := ""
		if event.ServerName != "" {
			as = " as " + event.ServerName
		}
		d.news.Record(events.Event{
			At: now, Reason: nameReasons[event.Change], Warning: event.Warning, LoadBalancer: service.LoadBalancer,
			Message: fmt.Sprintf("Backend %s of %s%s %s.", event.Server, service.Wanted.Key, as, event.Message),
		})
	}
}

// sessionStatus returns how a service places connections by session. Its backends have their health.
func (d *Driver) sessionStatus(service *Service, backends []datapath.Backend) *agentv1.SessionStatus {
	session, placing := service.Session, d.running.placing
	if session == nil {
		return nil
	}
	status := &agentv1.SessionStatus{Problem: placing.problems[service.Wanted.Key], Address: placing.addressFor(service.Wanted.Key.Address), Fallback: placing.fallbackIn(service.Wanted.Key)}
	if placing.hasNames(service) {
		status.TicketRevision = session.TicketNames
	}
	shared := d.learner.shared(service)
	for _, backend := range backends {
		_, fails := d.failing[backendKey{service.Wanted.Key, backend.ID}]
		one := &agentv1.SessionBackendStatus{Id: backend.ID, Takes: placing.takes(service.Wanted.Key, backend.ID) && backend.State != datapath.Draining && !fails}
		d.learner.describe(service, backend, shared, one)
		own, can := session.Backends[backend.ID]
		if own.SharesWith != "" {
			one.Message = fmt.Sprintf("Its ticket_names are those of backend %s, too, so they lead only there.", own.SharesWith)
		}
		if !can && backend.State != datapath.Inactive {
			one.Message = placing.whyLacking(service.Wanted.Key, backend.ID)
		}
		status.Backends = append(status.Backends, one)
	}
	return status
}

// takes reports whether a backend takes connections by session, as last set.
func (p *placing) takes(service datapath.Key, backend string) bool {
	return slices.ContainsFunc(p.carried[service].Backends, func(b replica.Backend) bool { return b.ID == backend && b.Resumes })
}

// addressFor returns where companions of backends of this family send their messages; "" without an
// address. It is known before anything listens there: backends unwrap tunnelled packets only of the addresses
// that replicas report, also those of the checks without which no backend would ever be up.
func (p *placing) addressFor(service netip.Addr) string {
	listens := p.listens
	if p.placer == nil {
		listens = p.wouldListen
	}
	if len(listens) == 0 {
		return ""
	}
	return inFamily(listens, service).String()
}

// findListens reads once for each report where this replica would listen. The reason why it can't is the problem of
// each service that needs it.
func (p *placing) findListens() {
	if p.placer == nil {
		p.wouldListen, _ = p.listensOf(p.interfaceName)
	}
}

// shared returns the names that several backends of a service have.
func (l *learner) shared(service *Service) map[names.Name][]string {
	table := l.table(service)
	for name, owners := range table {
		if len(owners) == 1 {
			delete(table, name)
		}
	}
	return table
}

// kindOrder has what is most in need of an operator first.
var kindOrder = []names.Kind{names.Failed, names.NoTickets, names.Random, names.Stable}

// describe adds what is known about a backend's tickets, under all server names.
func (l *learner) describe(service *Service, backend datapath.Backend, shared map[names.Name][]string, status *agentv1.SessionBackendStatus) {
	if l.monitor == nil || !service.Session.Learns || backend.State == datapath.Inactive {
		return
	}
	server := serverOf(service, backend)
	var all []names.Known
	var reasons []string
	worst := names.Kind("")
	for _, serverName := range probedAs(service) {
		record := l.monitor.Record(server, serverName)
		if worst == "" || record.Kind != "" && slices.Index(kindOrder, record.Kind) < slices.Index(kindOrder, worst) {
			worst = record.Kind
		}
		if record.Reason != "" {
			reasons = append(reasons, clause(serverName, record.Reason))
		}
		if name, is := service.Session.isForeign(backend.ID, record); is {
			reasons = append(reasons, clause(serverName, foreignReason(name)))
		}
		all = append(all, record.Known...)
	}
	status.Tickets = string(worst)
	slices.SortFunc(all, func(a, b names.Known) int {
		return cmp.Or(b.Seen.Compare(a.Seen), slices.Compare(a.Name[:], b.Name[:]), a.Since.Compare(b.Since))
	})
	all = slices.CompactFunc(all, func(a, b names.Known) bool { return a.Name == b.Name })
	for _, known := range all[:min(len(all), namesReported)] {
		status.Names = append(status.Names, &agentv1.TicketName{Name: known.Name[:], Since: timestamppb.New(known.Since), Seen: timestamppb.New(known.Seen)})
		if owners := shared[known.Name]; len(owners) > 1 {
			others := slices.DeleteFunc(slices.Clone(owners), func(id string) bool { return id == backend.ID })
			reasons = append(reasons, "uses the same ticket key as "+strings.Join(others, ", ")+"; use a key with its own name on each server")
		}
	}
	if len(reasons) > 0 {
		status.Message = "It " + strings.Join(slices.Compact(reasons), ", and ") + "."
	}
}

const namesReported = 16

// probedAs returns the server names with which a service's servers are probed.
func probedAs(service *Service) []string {
	if len(service.Session.ServerNames) == 0 {
		return []string{""}
	}
	return service.Session.ServerNames
}

func clause(serverName, reason string) string {
	if serverName == "" {
		return reason
	}
	return fmt.Sprintf("(as %s) %s", serverName, reason)
}
