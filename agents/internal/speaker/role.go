package speaker

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"fairlead.dev/agents/internal/agent"
	"fairlead.dev/agents/internal/balancer"
	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/bgp/message"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/health"
	"fairlead.dev/agents/internal/hostaddress"
)

// RoleName is the role's name on the command line and in the protocol.
const RoleName = "speaker"

const (
	preferenceDefault = 100
	probeEvery        = 200 * time.Millisecond
	probeFall         = 3
	drainMost         = time.Hour
	leaveSlack        = 10 * time.Second
	servicesMost      = 10_000
)

// NewRole connects the driver to the agent's loop. Routers reach the replica at the interface.
func NewRole(driver *Driver, iface string) agent.Role[Desired, Observed] {
	host := &message.Host{Interface: iface, Events: &driver.news}
	return agent.Role[Desired, Observed]{
		Name: RoleName, Driver: driver, Wake: driver.Wake(), Woken: driver.Woken, Leave: driver.Leave, LeaveMost: leaveMost,
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
			message.Updates(report.Bgp, driver.trail.updates.Take())
			report.Bgp.Transitions = driver.history.Take()
			for _, one := range observed.Announcements {
				report.Bgp.Announcements = append(report.Bgp.Announcements, &agentv1.Announcement{
					LoadBalancerId: one.LoadBalancer, Prefix: one.Prefix.String(), NextHop: message.Text(one.NextHop),
					State: string(one.State), Since: message.Timestamp(one.Since), Reason: one.Why,
				})
			}
		},
	}
}

// leaveMost exceeds the drain time, so that connections decide.
func leaveMost(desired Desired) time.Duration { return desired.DrainFor + leaveSlack }

// ParseDesired parses the role's part of a config.
func ParseDesired(config *agentv1.NodeConfig, addresses hostaddress.Addresses) (desired Desired, err error) {
	role := config.GetSpeaker()
	if role == nil {
		return Desired{}, nil
	}
	desired = Desired{On: true, Leaving: role.GetLeaving(), DrainFor: time.Duration(role.GetDrainMs()) * time.Millisecond}
	if desired.DrainFor > drainMost {
		return Desired{}, fmt.Errorf("draining for %s is too long; use at most %s", desired.DrainFor, drainMost)
	}
	complete := func(peer *bgp.Peer, _ *agentv1.BgpPeer) { peer.Gives = bgp.Best }
	if desired.BGP, err = message.ParseBgp(role.GetBgp(), addresses, complete); err != nil {
		return Desired{}, err
	}
	if got := len(role.GetServices()); got > servicesMost {
		return Desired{}, fmt.Errorf("%d services are too many for one replica; use at most %d", got, servicesMost)
	}
	for _, one := range role.GetServices() {
		service, err := parseService(one, addresses)
		if err != nil {
			return Desired{}, fmt.Errorf("service %s: %w", cmp.Or(one.GetPrefix(), one.GetLoadBalancerId(), "without a prefix"), err)
		}
		desired.Services = append(desired.Services, service)
	}
	slices.SortStableFunc(desired.Services, func(a, b Service) int { return a.Offer.Prefix.Compare(b.Offer.Prefix) })
	return desired, desired.Check()
}

func parseService(config *agentv1.SpeakerService, addresses hostaddress.Addresses) (service Service, err error) {
	service = Service{LoadBalancer: config.GetLoadBalancerId(), Plain: config.GetPlain(), Leaving: config.GetLeaving()}
	offer := &service.Offer
	if offer.Prefix, err = netip.ParsePrefix(config.GetPrefix()); err != nil {
		return service, errors.New("its prefix is not valid; use one such as 203.0.113.7/32")
	}
	if offer.NextHop = addresses.Family(offer.Prefix.Addr().Is4()); config.GetNextHop() != "" {
		if offer.NextHop, err = netip.ParseAddr(config.GetNextHop()); err != nil {
			return service, fmt.Errorf("next hop %q is not an address; use one of this host's, or leave it empty for the interface's", config.GetNextHop())
		}
	}
	offer.Bandwidth = float32(config.GetWeight())
	offer.Preference, offer.MED = cmp.Or(config.GetPreference(), preferenceDefault), config.GetMed()
	if offer.Communities, err = message.ParseCommunities(config.GetCommunities()); err != nil {
		return service, err
	}
	for _, one := range config.GetProbes() {
		probe, err := parseProbe(one)
		if err != nil {
			return service, fmt.Errorf("probe of %s port %d/%s: %w", one.GetAddress(), one.GetPort(), one.GetProtocol(), err)
		}
		service.Probes = append(service.Probes, probe)
	}
	return service, nil
}

func parseProbe(config *agentv1.SpeakerProbe) (probe health.Target, err error) {
	if probe.Address, err = netip.ParseAddr(config.GetAddress()); err != nil {
		return probe, errors.New("its address is not valid; use one of the service's")
	}
	if config.GetPort() == 0 || config.GetPort() > 65535 {
		return probe, errors.New("its port is not valid; use 1 to 65535")
	}
	probe.Port = uint16(config.GetPort())
	udp := config.GetProtocol() == "udp"
	if !udp && config.GetProtocol() != "tcp" {
		return probe, errors.New("its protocol isn't supported; use tcp or udp")
	}
	probe.Check = health.Check{Interval: probeEvery, Timeout: probeEvery, Rise: 1, Fall: probeFall}
	if !udp {
		probe.Check.Kind = health.TCP
	}
	if config.GetHealthCheck() == nil {
		return probe, nil // there is no UDP message that every service answers
	}
	check, err := balancer.ParseCheck(config.GetHealthCheck())
	if err != nil {
		return probe, err
	}
	if udp != (check.Kind == health.UDP) {
		return probe, errors.New("its health check doesn't match the protocol; use a udp check for udp, and any other for tcp")
	}
	probe.Check = *check
	probe.Check.Port = 0 // the port of the service is probed, not that of a backend
	return probe, nil
}
