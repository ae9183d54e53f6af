package lab

import (
	"fmt"
	"net/netip"
	"os"
	"slices"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/fib"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	roles "fairlead.dev/agents/internal/router"

	"fairlead.dev/agents/internal/lab/topology"
)

// peerPages is the address of a BGP member's HTTP pages, in the member's own namespace.
const peerPages = "127.0.0.1:9101"

// Settings of sessions when there is no control plane to set them.
const (
	holdSeconds = 3
	drainFor    = 10 * time.Second
	settleFor   = 2 * time.Second
)

// byBGP reports whether speakers advertise routes to the router, rather than the lab setting them.
func (l *Lab) byBGP() bool { return l.topology.Routing == topology.BGP }

// speakerOf is the name of a balancer's speaker.
func speakerOf(balancer string) string { return balancer + ".speaker" }

func (l *Lab) startSpeaker(beside *member) error {
	m := &member{kind: speaker, name: speakerOf(beside.name), node: beside.node, beside: beside.name}
	l.share(m, beside)
	return l.startPeer(m, m.node, "speaker", uplink, "--balancer", l.pages())
}

// pages returns the address of the page on which a balancer lists the services it carries. Only our own
// balancer has one.
func (l *Lab) pages() string {
	if l.topology.Command != nil {
		return "off"
	}
	return "http://" + metricsAddress
}

func (l *Lab) startReflector(m *member) error {
	if err := l.forwardControlPlane(m); err != nil {
		return err
	}
	return l.startPeer(m, m.name, "reflector", uplink)
}

func (l *Lab) startRouter(m *member) error {
	if err := l.forwardControlPlane(m); err != nil {
		return err
	}
	return l.startPeer(m, m.name, "router", lan)
}

func (l *Lab) startPeer(m *member, on, role, iface string, more ...string) error {
	if err := os.MkdirAll(l.folder.at(m.name), 0o700); err != nil {
		return fmt.Errorf("create the folder of %s: %w", m.name, err)
	}
	if err := l.writeConfig(m, l.source.Services(time.Now())); err != nil {
		return err
	}
	command := []string{
		l.options.Program, role, "--interface", iface, "--metrics-listen", peerPages, "--node-name", on, "--state", l.statePath(m),
	}
	return l.run(m, slices.Concat(command, more, l.sourceFlags(m))...)
}

// followDrain withdraws the routes of a draining node's speakers, and advertises them again afterwards.
func (l *Lab) followDrain(m *member) {
	if m.kind != speaker || m.leaving {
		return
	}
	switch drained := l.members[m.node].drained; {
	case drained && !m.process.stopping:
		m.process.stop()
	case !drained && m.process.stopping && m.process.command == nil:
		m.process.stopping = false
		m.process.again = time.Now()
	}
}

// readRoutes reads the routes from the router's kernel.
func (l *Lab) readRoutes() (err error) {
	l.hops, err = fib.Read(l.members[topology.Router].space.Do, roles.Owner)
	return err
}

// routed reports whether the router sends packets to a balancer.
func (l *Lab) routed(m *member) bool {
	if !l.byBGP() {
		return true
	}
	for _, hops := range l.hops {
		if slices.ContainsFunc(m.addresses.addrs(), func(address netip.Addr) bool { return slices.Contains(hops, address) }) {
			return true
		}
	}
	return false
}

func (l *Lab) speakerRole(services []*agentv1.BalancerService) *agentv1.SpeakerRole {
	role := &agentv1.SpeakerRole{Bgp: &agentv1.Bgp{As: topology.AS}, DrainMs: uint32(drainFor.Milliseconds())}
	for i := range l.topology.Reflectors {
		role.Bgp.Peers = append(role.Bgp.Peers, l.peerAt(l.where.reflector(i+1)))
	}
	by := map[string]*agentv1.SpeakerService{}
	for _, service := range services {
		one := by[service.GetAddress()]
		if one == nil {
			address, err := netip.ParseAddr(service.GetAddress())
			if err != nil {
				continue // the balancer rejects it and reports that
			}
			one = &agentv1.SpeakerService{LoadBalancerId: service.GetLoadBalancerId(), Prefix: netip.PrefixFrom(address, address.BitLen()).String()}
			by[service.GetAddress()] = one
			role.Services = append(role.Services, one)
		}
		one.Plain = one.Plain || service.GetProxyProtocol() || datapath.Delivery(service.GetDelivery()) == datapath.Proxy
		probe := &agentv1.SpeakerProbe{Address: service.GetAddress(), Port: service.GetPort(), Protocol: service.GetProtocol()}
		if check := service.GetHealthCheck(); service.GetProtocol() == "udp" && check.GetType() == "udp" {
			probe.HealthCheck = check
		}
		one.Probes = append(one.Probes, probe)
	}
	return role
}

func (l *Lab) reflectorRole() *agentv1.ReflectorRole {
	role := &agentv1.ReflectorRole{Bgp: &agentv1.Bgp{As: topology.AS}, Accepts: l.accepts()}
	for _, callers := range l.where.pods() {
		peer := l.peer()
		peer.Callers, peer.Client = callers.String(), true
		role.Bgp.Peers = append(role.Bgp.Peers, peer)
	}
	upper := l.peerAt(l.where.router())
	upper.Waits = true
	role.Bgp.Peers = append(role.Bgp.Peers, upper)
	return role
}

func (l *Lab) routerRole() *agentv1.RouterRole {
	role := &agentv1.RouterRole{
		Bgp: &agentv1.Bgp{As: topology.AS}, Accepts: l.accepts(),
		Plain: l.topology.NextHops == topology.Plain, SettleMs: uint32(settleFor.Milliseconds()),
	}
	for i := range l.topology.Reflectors {
		role.Bgp.Peers = append(role.Bgp.Peers, l.peerAt(l.where.reflector(i+1)))
	}
	return role
}

// peerAt is a peer named by its first address.
func (l *Lab) peerAt(where place) *agentv1.BgpPeer {
	peer := l.peer()
	peer.Address = where[0].Addr().String()
	return peer
}

func (l *Lab) peer() *agentv1.BgpPeer {
	return &agentv1.BgpPeer{As: topology.AS, HoldSeconds: holdSeconds, DetectIntervalMs: uint32(l.topology.Detection.Milliseconds())}
}

func (l *Lab) accepts() (accepts []string) {
	for _, prefix := range l.where.services() {
		accepts = append(accepts, prefix.String())
	}
	return accepts
}
