package balancer

import (
	"fmt"
	"net"
	"net/netip"

	"fairlead.dev/agents/internal/agent"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// RoleName is what this role is called on the command line and in the protocol.
const RoleName = "balancer"

// NewRole ties the driver to the protocol.
func NewRole(driver *Driver) agent.Role[Desired, Observed] {
	return agent.Role[Desired, Observed]{
		Name: RoleName, Driver: driver, Desired: driver.parse,
		Wake: driver.wake, Woken: driver.Woken, Behind: driver.isBehind,
		Fill: func(observed Observed, report *agentv1.ReportRequest) {
			report.Balancer = observed.Status
			report.Series = observed.Series
			report.Events = driver.news.take()
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

// refuse says once what is wrong with a config.
func (d *Driver) refuse(revision uint64, err error) {
	text := fmt.Sprintf("Revision %d is not carried and what ran before stays: %v.", revision, err)
	if d.started && d.desired.Revision == revision { // it was carried before
		text = fmt.Sprintf("Revision %d runs on as it was, because it could not be set again: %v.", revision, err)
	}
	if text == d.refused {
		return
	}
	d.refused = text
	d.news.say(event{reason: ConfigRefused, warning: true, message: text})
}

// HostOf is the address at which others reach an interface of this host: its
// first global one, IPv4 before IPv6. Empty when there is none.
func HostOf(name string) string {
	link, err := net.InterfaceByName(name)
	if err != nil {
		return ""
	}
	addresses, err := link.Addrs()
	if err != nil {
		return ""
	}
	six := ""
	for _, address := range addresses {
		prefix, err := netip.ParsePrefix(address.String())
		switch {
		case err != nil || !prefix.Addr().IsGlobalUnicast():
		case prefix.Addr().Is4():
			return prefix.Addr().String()
		case six == "":
			six = prefix.Addr().String()
		}
	}
	return six
}
