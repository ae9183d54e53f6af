package reflector

import (
	"fairlead.dev/agents/internal/agent"
	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/bgp/message"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/hostaddress"
)

// RoleName is the role's name on the command line and in the protocol.
const RoleName = "reflector"

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
			report.Bgp = message.Status(iface, observed.On, &driver.desired.BGP, observed.Sessions)
			message.Updates(report.Bgp, driver.updates.Take())
			report.Bgp.Transitions = driver.history.Take()
		},
	}
}

// ParseDesired parses the role's part of a config.
func ParseDesired(config *agentv1.NodeConfig, addresses hostaddress.Addresses) (desired Desired, err error) {
	role := config.GetReflector()
	if role == nil {
		return Desired{}, nil
	}
	desired.On = true
	complete := func(peer *bgp.Peer, peerConfig *agentv1.BgpPeer) {
		peer.Reflected = peer.AS == role.GetBgp().GetAs()
		if !peerConfig.GetClient() {
			peer.Gives = bgp.EveryRoute
		}
	}
	if desired.BGP, err = message.ParseBgp(role.GetBgp(), addresses, complete); err != nil {
		return Desired{}, err
	}
	desired.BGP.Listens = addresses.All()
	desired.BGP.Multipath = true // reports updates of all equal routes; routers receive every route anyway
	if desired.BGP.Accepts, err = message.ParsePrefixes(role.GetAccepts()); err != nil {
		return Desired{}, err
	}
	return desired, desired.BGP.Check()
}
