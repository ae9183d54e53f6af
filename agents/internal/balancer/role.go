package balancer

import (
	"fmt"
	"time"

	"fairlead.dev/agents/internal/agent"
	"fairlead.dev/agents/internal/events"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/hostaddress"
)

// RoleName is the name of this role on the command line and in the protocol.
const RoleName = "balancer"

// NewRole connects the driver to the protocol.
func NewRole(driver *Driver) agent.Role[Desired, Observed] {
	return agent.Role[Desired, Observed]{
		Name: RoleName, Driver: driver, Desired: driver.parse,
		Wake: driver.wake, Woken: driver.Woken, Stale: driver.stale, Behind: driver.isBehind,
		Leave: driver.Leave, LeaveMost: func(Desired) time.Duration { return outlastMost },
		Fill: func(observed Observed, report *agentv1.ReportRequest) {
			report.Balancer = observed.Status
			report.Series = observed.Series
			report.Events = driver.news.Take()
			report.Warnings = append(report.Warnings, observed.Warnings...)
		},
	}
}

func (d *Driver) parse(config *agentv1.NodeConfig) (Desired, error) {
	desired, err := ParseDesired(config)
	if err != nil {
		d.refuse(config.GetRevision(), err)
		if d.running == nil {
			d.ready.Store(&readiness{sentence: fmt.Sprintf("The config is refused: %v.", err)})
		}
	}
	return desired, err
}

// refuse reports an error of a config once.
func (d *Driver) refuse(revision uint64, err error) {
	text := fmt.Sprintf("Revision %d is not carried and the previous one keeps running: %v.", revision, err)
	if d.started && d.desired.Revision == revision { // it was carried before
		text = fmt.Sprintf("Revision %d keeps running unchanged, because it could not be set again: %v.", revision, err)
	}
	if text == d.refused {
		return
	}
	d.refused = text
	d.news.Record(events.Event{Reason: ConfigRefused, Warning: true, Message: text})
}

// HostOf returns the address at which other hosts reach an interface of this host: its
// first global one, IPv4 before IPv6, or "" if there is none.
func HostOf(name string) string {
	found, err := hostaddress.Of(name)
	if err != nil || len(found.All()) == 0 {
		return ""
	}
	return found.All()[0].String()
}
