package router

import (
	"cmp"
	"time"

	"fairlead.dev/agents/internal/agent"
	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/bgp/message"
	"fairlead.dev/agents/internal/fib"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/hostaddress"
)

// RoleName is the role's name on the command line and in the protocol.
const RoleName = "router"

// Owner marks the role's own routes and next hops in the kernel (rtnetlink's protocol).
const Owner = 179

const (
	metricDefault  = 20
	keepDefault    = 5 * time.Minute
	settleDefault  = 10 * time.Second
	routesReported = int(agentv1.Limit_LIMIT_REPORT_ROUTES)
)

// NewRole connects the driver to the agent's loop. Peers reach this host at the interface.
func NewRole(driver *Driver, iface string) agent.Role[Desired, Observed] {
	host := &message.Host{Interface: iface, Events: &driver.news}
	return agent.Role[Desired, Observed]{
		Name: RoleName, Driver: driver, Wake: driver.Wake(), Woken: driver.Woken,
		Desired: func(config *agentv1.NodeConfig) (Desired, error) {
			addresses, err := host.Addresses()
			if err != nil {
				return Desired{}, err
			}
			return ParseDesired(config, addresses)
		},
		Fill: func(observed Observed, report *agentv1.ReportRequest) {
			report.Events = append(report.Events, driver.news.Take()...)
			report.Warnings = append(report.Warnings, observed.Warnings...)
			report.Bgp = message.Status(iface, observed.On, &driver.desired.BGP, observed.Sessions)
			message.Updates(report.Bgp, driver.updates.Take())
			report.Bgp.Transitions = driver.history.Take()
			fillRoutes(report.Bgp, observed.Routes)
		},
	}
}

// fillRoutes limits the number of routes in a report.
func fillRoutes(status *agentv1.BgpStatus, routes []Route) {
	if surplus := len(routes) - routesReported; surplus > 0 {
		status.RoutesLeftOut, routes = uint64(surplus), routes[:routesReported]
	}
	for _, route := range routes {
		kernelRoute := &agentv1.KernelRoute{Prefix: route.Prefix.String(), Since: message.Timestamp(route.Since), Changed: message.Timestamp(route.Changed)}
		for _, hop := range route.Hops {
			kernelRoute.NextHops = append(kernelRoute.NextHops, &agentv1.NextHop{Address: hop.Via.String(), Weight: uint32(hop.Weight), Since: message.Timestamp(hop.Since)})
		}
		status.Routes = append(status.Routes, kernelRoute)
	}
}

// ParseDesired parses the role's part of a config.
func ParseDesired(config *agentv1.NodeConfig, addresses hostaddress.Addresses) (desired Desired, err error) {
	role := config.GetRouter()
	if role == nil {
		return Desired{}, nil
	}
	desired = Desired{
		On:      true,
		Keeps:   cmp.Or(milliseconds(role.GetKeepMs()), keepDefault),
		Settles: cmp.Or(milliseconds(role.GetSettleMs()), settleDefault),
	}
	complete := func(peer *bgp.Peer, _ *agentv1.BgpPeer) { peer.TakesPaths = true }
	if desired.BGP, err = message.ParseBgp(role.GetBgp(), addresses, complete); err != nil {
		return Desired{}, err
	}
	desired.BGP.Multipath = true
	if desired.BGP.Accepts, err = message.ParsePrefixes(role.GetAccepts()); err != nil {
		return Desired{}, err
	}
	desired.Table = fib.Options{
		Owner: Owner, Metric: cmp.Or(role.GetMetric(), metricDefault), Resilient: !role.GetPlain(), Allows: desired.BGP.Accepts,
	}
	return desired, desired.BGP.Check()
}

func milliseconds(number uint32) time.Duration { return time.Duration(number) * time.Millisecond }
