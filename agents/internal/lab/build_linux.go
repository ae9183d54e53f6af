package lab

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath/xdp"
	"fairlead.dev/agents/internal/lab/topology"
	"fairlead.dev/agents/internal/netspace"
)

// build creates everything in the topology, from the router outwards.
func (l *Lab) build(ctx context.Context) error {
	if err := l.buildRouter(); err != nil {
		return err
	}
	for i, r := range l.topology.Reflectors {
		if err := errors.Join(ctx.Err(), l.buildReflector(r, i+1)); err != nil {
			return err
		}
	}
	for i, n := range l.topology.Nodes {
		if err := errors.Join(ctx.Err(), l.buildNode(n, i+1)); err != nil {
			return err
		}
	}
	for _, b := range l.topology.Balancers {
		if _, err := l.makeBalancer(b); errors.Join(ctx.Err(), err) != nil {
			return errors.Join(ctx.Err(), err)
		}
	}
	for _, p := range l.topology.Pods {
		if err := errors.Join(ctx.Err(), l.addPod(p, time.Time{})); err != nil {
			return err
		}
	}
	for _, b := range l.topology.Balancers {
		if err := errors.Join(ctx.Err(), l.startBalancer(ctx, l.members[b.Name])); err != nil {
			return err
		}
	}
	for i, c := range l.topology.Clients {
		if err := errors.Join(ctx.Err(), l.buildClient(c, i+1)); err != nil {
			return err
		}
	}
	return nil
}

func (l *Lab) buildRouter() error {
	wires, err := netspace.New(l.spaceName(topology.Wires))
	if err != nil {
		return err
	}
	l.wires = wires
	// It only forwards frames, so it needs no IPv6 address of its own.
	if err := wires.SetSysctls(map[string]string{"net/ipv6/conf/default/disable_ipv6": "1", "net/ipv6/conf/all/disable_ipv6": "1"}); err != nil {
		return err
	}
	m := &member{kind: router, name: topology.Router, addresses: l.where.router()}
	if err := l.newMember(m, forwarding); err != nil {
		return err
	}
	if err := m.space.AddBridge(lan); err != nil {
		return err
	}
	for _, address := range m.addresses {
		if err := m.space.AddAddress(lan, address); err != nil {
			return err
		}
	}
	if l.byBGP() {
		return l.startRouter(m)
	}
	m.table, err = newTable(m.space, l.topology.NextHops == topology.Resilient)
	return err
}

// buildReflector creates a namespace on the router's network, reachable from all nodes.
func (l *Lab) buildReflector(r topology.Reflector, number int) error {
	m := &member{kind: reflector, name: r.Name, number: number, addresses: l.where.reflector(number)}
	if err := l.newMember(m); err != nil {
		return err
	}
	upper := l.members[topology.Router]
	if err := l.connect(m, upper.space, netspace.End{Bridge: lan}, netspace.End{Addresses: m.addresses}, r.Link); err != nil {
		return err
	}
	if err := m.addDefaults(upper.addresses.addrs()); err != nil {
		return err
	}
	switch {
	case r.Command != nil:
		return l.run(m, l.words(m, r.Command)...)
	case l.byBGP():
		return l.startReflector(m)
	}
	return nil
}

func (l *Lab) buildNode(n topology.Node, number int) error {
	m := &member{kind: node, name: n.Name, number: number, addresses: l.where.uplink(number)}
	if err := l.newMember(m, forwarding, l.ownSeed(m.name)); err != nil {
		return err
	}
	if n.Adaptive {
		l.prepareAdaptive(m)
	}
	if err := m.space.AddBridge(lan); err != nil {
		return err
	}
	upper := l.members[topology.Router]
	own, bridged := netspace.End{Addresses: m.addresses}, l.where.gateway(number)
	if l.where.flat() {
		own, bridged = netspace.End{Bridge: lan}, m.addresses
	}
	for _, address := range bridged {
		if err := m.space.AddAddress(lan, address); err != nil {
			return err
		}
	}
	if err := l.connect(m, upper.space, netspace.End{Bridge: lan}, own, n.Link); err != nil {
		return err
	}
	if err := m.addDefaults(upper.addresses.addrs()); err != nil {
		return err
	}
	if !l.where.flat() {
		if err := l.routePods(m); err != nil {
			return err
		}
	}
	if err := errors.Join(l.startNodeAgent(m), l.startBackend(m)); err != nil || !n.Adaptive {
		return err
	}
	return l.startAdaptive(m)
}

// routePods adds routes to a node's pods everywhere else, and routes to all other pods on the node.
func (l *Lab) routePods(m *member) (err error) {
	for _, name := range l.order {
		other := l.members[name]
		if other == m || (other.kind != node && other.kind != router) {
			continue
		}
		if err := other.addRoutes(l.where.network(m.number), m.addresses.addrs()); err != nil {
			return err
		}
		if other.kind == node {
			if err := m.addRoutes(l.where.network(other.number), other.addresses.addrs()); err != nil {
				return err
			}
		}
	}
	m.table, err = newTable(m.space, l.topology.NextHops == topology.Resilient)
	return err
}

// ownSeed gives a node a different hash seed from the router's. With the same seed some of its balancers
// would never be chosen. The setting needs Linux 6.11.
func (l *Lab) ownSeed(name string) map[string]string {
	const seed = "net/ipv4/fib_multipath_hash_seed"
	if _, err := os.Stat("/proc/sys/" + seed); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	sum := uint32(2166136261)
	for _, b := range []byte(name) {
		sum = (sum ^ uint32(b)) * 16777619
	}
	return map[string]string{seed: fmt.Sprint(sum | 1)}
}

// buildOnNode creates the namespace of a pod or of a balancer.
func (l *Lab) buildOnNode(m *member, settings ...map[string]string) error {
	on, ok := l.members[m.node]
	if !ok || on.kind != node {
		return fmt.Errorf("there is no node %q: name one of those that \"lab status\" shows", m.node)
	}
	if _, taken := l.members[m.name]; taken {
		return fmt.Errorf("%q is already the name of another member: choose another", m.name)
	}
	number, err := l.freeNumber(on.number)
	if err != nil {
		return err
	}
	m.number, m.addresses = number, l.where.pod(on.number, number)
	if err := errors.Join(l.newMember(m, append(settings, owner)...), l.noteCgroup(m)); err != nil {
		return err
	}
	if err := l.connect(m, on.space, netspace.End{Bridge: lan}, netspace.End{Addresses: m.addresses}, topology.Link{}); err != nil {
		return err
	}
	if err := m.addDefaults(l.where.gateway(on.number).addrs()); err != nil {
		return err
	}
	for _, prefix := range l.where.services() {
		if err := m.space.AddLocal(prefix); err != nil {
			return err
		}
	}
	return nil
}

// makeBalancer creates a balancer's namespace without a process.
func (l *Lab) makeBalancer(b topology.Member) (*member, error) {
	m := &member{kind: balancer, name: b.Name, node: b.Node, why: "it was not probed yet"}
	settings := []map[string]string{forwarding}
	if l.byBGP() {
		settings = append(settings, probed)
	}
	if err := l.buildOnNode(m, settings...); err != nil || l.topology.Engine != xdp.Candidate.Name {
		return m, err
	}
	return m, m.upper.Do(func() error {
		peer, err := xdp.PreparePeer(m.port)
		if err != nil {
			return fmt.Errorf("prepare the host's end of %s: %w", m.name, err)
		}
		m.prepared = peer
		return nil
	})
}

// freeNumber is the lowest number that no pod of a node has.
func (l *Lab) freeNumber(on int) (int, error) {
	taken := map[int]bool{}
	for _, m := range l.members {
		if other := l.members[m.node]; other != nil && other.number == on {
			taken[m.number] = true
		}
	}
	for number := 1; number < 250; number++ {
		if !taken[number] {
			return number, nil
		}
	}
	return 0, errors.New("this node is full: remove a pod, or choose another node")
}

// firstPort is the first local port of a client with a limited range.
const firstPort = 32768

func (l *Lab) buildClient(c topology.Client, number int) error {
	if c.Node != "" {
		m := &member{kind: client, name: c.Name, node: c.Node}
		l.share(m, l.members[c.Node])
		return l.startTraffic(m, c)
	}
	routerEnd, own := l.where.client(number)
	m := &member{kind: client, name: c.Name, addresses: own}
	if err := l.newMember(m); err != nil {
		return err
	}
	upper := l.members[topology.Router].space
	if err := l.connect(m, upper, netspace.End{Addresses: routerEnd}, netspace.End{Addresses: own}, c.Link); err != nil {
		return err
	}
	if err := m.addDefaults(routerEnd.addrs()); err != nil {
		return err
	}
	if err := m.space.SetSysctls(portsOf(c)); err != nil {
		return err
	}
	// Traffic sent before a balancer is ready would count as failed.
	m.begin = func() error { return l.startTraffic(m, c) }
	return nil
}

// portsOf sets a client's local port range. A port waits for a minute after the client closes its connection,
// and the kernel is slow to find a free one among few: a high connection rate needs the full range.
func portsOf(c topology.Client) map[string]string {
	if c.Ports == 0 {
		return map[string]string{"net/ipv4/ip_local_port_range": "1024 65535"}
	}
	return map[string]string{
		"net/ipv4/ip_local_port_range": fmt.Sprintf("%d %d", firstPort, firstPort+c.Ports-1),
		"net/ipv4/tcp_tw_reuse":        "1", // a second after its last connection ended, as with many clients behind one address
	}
}
