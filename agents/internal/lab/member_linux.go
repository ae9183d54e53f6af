package lab

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"net"
	"net/netip"
	"slices"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/fib"
	"fairlead.dev/agents/internal/lab/topology"
	"fairlead.dev/agents/internal/lab/wire"
	"fairlead.dev/agents/internal/netspace"
)

// kind of a member.
type kind string

const (
	router    kind = "router"
	reflector kind = "reflector"
	node      kind = "node"
	balancer  kind = "balancer"
	speaker   kind = "speaker"  // next to a balancer, in its namespace
	backend   kind = "backend"  // an agent next to a node, in its namespace
	adaptive  kind = "adaptive" // the same
	pod       kind = "pod"
	client    kind = "client"
)

// member is one namespace with its contents.
type member struct {
	kind      kind
	name      string
	node      string // that it runs on, if any
	number    int    // of a node, from 1
	group     string // of a pod
	addresses place
	space     *netspace.Space
	shares    bool            // it is in the namespace of another member
	cgroup    string          // folder of a node that distributes connections; empty: none
	process   *process        // nil without a process
	table     *fib.Table      // nil without routes
	upper     *netspace.Space // the namespace at the upper end of its cable
	port      string          // its interface there
	line      *wire.Line      // nil for a cable without delay or loss
	cut       bool
	drained   bool // a node that gets nothing new

	beside   string // the balancer of a speaker
	ready    bool   // of a balancer: as it reports
	why      string
	serves   []netip.Addr // addresses that the balancer reports it carries; nil if it carries all
	unwatch  func()       // stops watching it
	removeAt time.Time    // when a leaving balancer is removed; zero otherwise
	killAt   time.Time    // when a leaving balancer that doesn't end is killed
	leaving  bool
	parted   bool         // no member sends to this leaving balancer any more
	begin    func() error // starts a client that waits for a balancer; nil afterwards
	unwrap   io.Closer    // strips the outer header of tunnelled packets; nil without tunnels
	prepared io.Closer    // prepares its port, for an engine that needs it; nil otherwise
	revision uint64       // of its last config
	digest   string
	forward  net.Listener // to the control plane, if there is one
}

// Interface names that are the same in every namespace.
const (
	uplink = "eth0" // towards the router
	lan    = "lan"  // the bridge, if there is one
)

// base are the settings of every namespace, written before any interface exists.
var base = map[string]string{
	"net/ipv4/conf/all/rp_filter": "0", "net/ipv4/conf/default/rp_filter": "0",
	"net/ipv6/conf/default/accept_ra":         "0",
	"net/ipv6/conf/all/keep_addr_on_down":     "1",
	"net/ipv6/conf/default/keep_addr_on_down": "1", // a cut cable can be restored
}

// forwarding settings turn a namespace into a router that hashes flows by ports.
var forwarding = map[string]string{
	"net/ipv4/ip_forward": "1", "net/ipv6/conf/all/forwarding": "1",
	"net/ipv4/conf/all/send_redirects": "0", "net/ipv4/conf/default/send_redirects": "0",
	"net/ipv4/fib_multipath_hash_policy": "1", "net/ipv6/fib_multipath_hash_policy": "1",
}

// owner settings let a namespace accept service addresses that none of its interfaces has.
var owner = map[string]string{
	"net/ipv4/conf/all/arp_ignore": "1", "net/ipv4/conf/default/arp_ignore": "1",
	"net/ipv4/conf/all/arp_announce": "2", "net/ipv4/conf/default/arp_announce": "2",
	"net/ipv6/ip_nonlocal_bind": "1", // otherwise IPv6 sockets can't bind an address of a local prefix
}

// probed settings accept packets from outside with a local source address, as a speaker's probes have.
// Without them a balancer that translates in the kernel's own stack never replies.
var probed = map[string]string{"net/ipv4/conf/all/accept_local": "1"}

// spaceName is the name of a member's namespace.
func (l *Lab) spaceName(name string) string { return SpaceName(l.topology.Name, name) }

// SpaceName is the name of a lab member's namespace.
func SpaceName(lab, member string) string { return prefixOf(lab) + member }

func prefixOf(lab string) string { return "fl-" + lab + "-" }

// newMember creates the namespace; additional settings override the base.
func (l *Lab) newMember(m *member, settings ...map[string]string) error {
	space, err := netspace.New(l.spaceName(m.name))
	if err != nil {
		return err
	}
	m.space = space
	l.members[m.name] = m
	l.order = append(l.order, m.name)
	for _, s := range append([]map[string]string{base}, settings...) {
		if err := space.SetSysctls(s); err != nil {
			return err
		}
	}
	return nil
}

// share adds a member in the namespace of another one on its node, or of its node.
func (l *Lab) share(m, with *member) {
	m.addresses, m.space, m.shares = with.addresses, with.space, true
	l.members[m.name] = m
	l.order = append(l.order, m.name)
}

// linkAddress is derived from the IP address: a new member that reuses an address is reachable at once,
// without seconds of stale neighbour entries.
func linkAddress(of netip.Addr) net.HardwareAddr {
	hash := fnv.New32a()
	_, _ = hash.Write(of.AsSlice())
	return hash.Sum([]byte{2, 0})
}

// connect adds a cable from a member to a port further up, through the delay lines' namespace if it has delay
// or loss.
func (l *Lab) connect(m *member, upper *netspace.Space, port netspace.End, own netspace.End, link topology.Link) error {
	m.upper, m.port = upper, m.name
	port.Space, port.Interface = upper, m.name
	own.Space, own.Interface, own.MAC = m.space, uplink, linkAddress(m.addresses[0].Addr())
	near := netspace.End{Space: l.wires, Interface: m.name + ".a"}
	far := netspace.End{Space: l.wires, Interface: m.name + ".b"}
	if m.kind != client {
		for _, end := range []*netspace.End{&own, &port, &near, &far} {
			end.MTU = l.mtu()
		}
	}
	if !link.HasLength() {
		return errors.Join(netspace.Connect(own, port), narrow(link, own, port))
	}
	if err := netspace.Connect(own, near); err != nil {
		return err
	}
	if err := errors.Join(netspace.Connect(far, port), narrow(link, own, port)); err != nil {
		return err
	}
	line, err := wire.Open(l.wires, near.Interface, far.Interface)
	if err != nil {
		return err
	}
	line.Set(link.Delay, link.Loss)
	m.line = line
	return nil
}

// narrow limits the rate at both ends of a cable.
func narrow(link topology.Link, ends ...netspace.End) error {
	if link.Mbps == 0 {
		return nil
	}
	for _, end := range ends {
		if err := end.Space.Narrow(end.Interface, link.Mbps); err != nil {
			return err
		}
	}
	return nil
}

// tunnels reports whether some pods receive tunnelled packets.
func (l *Lab) tunnels() bool {
	return slices.ContainsFunc(l.topology.Services, func(s topology.Service) bool { return datapath.Delivery(s.Delivery).Wraps() })
}

// mtu leaves room for the outer header of tunnels behind the router, as data centres do; clients use the
// default. 0 is the kernel's default.
func (l *Lab) mtu() int {
	if l.tunnels() {
		return 1600
	}
	return 0
}

func (m *member) addRoutes(to []netip.Prefix, via []netip.Addr) error {
	for _, prefix := range to {
		for _, address := range via {
			if prefix.Addr().Is4() == address.Is4() {
				if err := m.space.AddRoute(prefix, address); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (m *member) addDefaults(via []netip.Addr) error {
	for _, address := range via {
		if err := m.space.AddRoute(defaultRoute(address), address); err != nil {
			return err
		}
	}
	return nil
}

// dismantle removes a member whose process has ended. One in the namespace of another owns only its configs, and the
// agent of a node also what it pinned.
func (l *Lab) dismantle(m *member) error {
	if m.shares {
		l.removeMember(m)
		err := l.forgetConfig(m)
		if m.kind == backend || m.kind == adaptive {
			err = errors.Join(err, unpin(m.space.Name))
		}
		return err
	}
	if m.unwatch != nil {
		m.unwatch()
	}
	var errs []error
	if m.forward != nil {
		errs = append(errs, m.forward.Close())
	}
	for _, program := range []io.Closer{m.unwrap, m.prepared} {
		if program != nil {
			errs = append(errs, program.Close())
		}
	}
	if m.line != nil {
		errs = append(errs, m.line.Close())
		for _, end := range []string{".a", ".b"} {
			if link, err := l.wires.Links().LinkByName(m.name + end); err == nil {
				errs = append(errs, l.wires.Links().LinkDel(link))
			}
		}
	}
	if m.upper != nil { // the kernel does it too, but later: the name may be needed before
		if link, err := m.upper.Links().LinkByName(m.port); err == nil {
			errs = append(errs, m.upper.Links().LinkDel(link))
		}
	}
	if m.kind == balancer {
		errs = append(errs, unpin(m.space.Name), l.forgetConfig(m))
	}
	if m.cgroup != "" {
		errs = append(errs, removeCgroup(m.cgroup))
	}
	errs = append(errs, m.space.Delete())
	l.removeMember(m)
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("remove %s: %w", m.name, err)
	}
	return nil
}

func (l *Lab) removeMember(m *member) {
	delete(l.members, m.name)
	l.order = slices.DeleteFunc(l.order, func(name string) bool { return name == m.name })
}
