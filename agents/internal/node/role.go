package node

import (
	"fairlead.dev/agents/internal/agent"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// RoleName is the role's name on the command line and in the protocol.
const RoleName = "node"

// NewRole connects the driver to the agent's loop.
func NewRole(driver *Driver) agent.Role[Sampling, Observed] {
	return agent.Role[Sampling, Observed]{
		Name: RoleName, Driver: driver, Desired: ParseSampling,
		Fill: func(observed Observed, report *agentv1.ReportRequest) {
			report.Facts = observed.Facts
			if observed.Sampling.On {
				report.Node = &agentv1.NodeStatus{EchoAddress: observed.Echo}
			}
			report.Series = driver.points.take()
			report.Warnings = append(report.Warnings, observed.Warnings...)
		},
	}
}
