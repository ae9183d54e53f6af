package adaptive

import (
	"context"
	"net/http"

	"fairlead.dev/agents/internal/agent"
	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/pins"
	"fairlead.dev/agents/internal/exposition"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// NewRole connects the driver to the agent's loop.
func NewRole(driver *Driver) agent.Role[Desired, Observed] {
	return agent.Role[Desired, Observed]{
		Name: RoleName, Driver: driver, Desired: ParseDesired, Wake: driver.wake,
		Woken: func(context.Context) (news bool, err error) { return true, nil },
		Fill: func(observed Observed, report *agentv1.ReportRequest) {
			report.Adaptive, report.Events = observed.Status, observed.Events
			report.Warnings = append(report.Warnings, observed.Warnings...)
		},
	}
}

// PinsOf returns the folder of an agent's pinned programs, by a name that no other agent of the role has here.
func PinsOf(name string) string { return pins.Folder(RoleName, datapath.Options{Name: name}) }

// Pages are the HTTP pages of the role.
func (d *Driver) Pages(status *agent.ObservedLink) map[string]http.Handler {
	return map[string]http.Handler{
		"/metrics": exposition.Page(d.families), "/readyz": http.HandlerFunc(d.serveReadiness), "/status": status,
	}
}
