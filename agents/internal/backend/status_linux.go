package backend

import (
	"cmp"
	"context"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// look updates the status of each server, and reports whether any changed.
func (d *Driver) look() (news bool) {
	statuses := make(map[key]*agentv1.BackendServerStatus, len(d.desired.Servers))
	for i := range d.desired.Servers {
		s := &d.desired.Servers[i]
		status := d.statusOf(s)
		statuses[s.key()] = status
		if before := d.statuses[s.key()]; before == nil || !proto.Equal(before, status) {
			news = true
			d.logStatus(s, status)
		}
	}
	news = news || len(statuses) != len(d.statuses)
	d.statuses = statuses
	return news
}

func (d *Driver) logStatus(s *Server, status *agentv1.BackendServerStatus) {
	about := d.options.Log.With("backend", s.Backend, "loadBalancer", s.LoadBalancer, "instance", s.Instance, "service", s.Service)
	if status.GetReady() {
		about.Info("the server takes connections by session", "companion", status.GetCompanion(), "limitation", status.GetMessage())
		return
	}
	about.Warn("the server doesn't take connections by session", "reason", status.GetMessage())
}

func (d *Driver) statusOf(s *Server) *agentv1.BackendServerStatus {
	status := &agentv1.BackendServerStatus{BackendId: s.Backend, LoadBalancerId: s.LoadBalancer}
	if s.Tickets != nil {
		tickets := d.keeper.of(s.key())
		status.TicketRevision, status.TicketProblem = tickets.revision, tickets.problem
	}
	status.TicketProblem = cmp.Or(s.TicketProblem, status.TicketProblem)
	p := d.places[d.located.of[s.key()]]
	switch missing := d.located.missing[s.key()]; {
	case d.problem != "":
		status.Message = d.problem
	case missing != "":
		status.Message = missing
	case p != nil:
		problem, limitation := p.problemOf(s)
		status.Ready, status.Message = problem == "", problem+limitation
		status.Companion = p.listen.String()
	}
	status.Message = strings.TrimSpace(status.Message + " " + d.desired.Former[s.key()])
	return status
}

// Observe reads the state of each server.
func (d *Driver) Observe(context.Context) (Observed, error) {
	if !d.desired.On {
		return Observed{}, nil
	}
	d.look()
	status := &agentv1.BackendRoleStatus{Problem: d.problem}
	for i := range d.desired.Servers {
		status.Servers = append(status.Servers, d.statuses[d.desired.Servers[i].key()])
	}
	for _, one := range d.desired.Rejected {
		status.Servers = append(status.Servers, one.status())
	}
	series, err := d.figures.points(d.desired.Servers, d.located.of, d.places, time.Now())
	return Observed{Status: status, Series: series, Warning: d.warning}, err
}
