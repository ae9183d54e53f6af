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
	speaker   kind = "speaker" // beside a balancer, in its namespace
	pod       kind = "pod"
	client    kind = "client"
)

// member is one namespace with what is in it.
type member struct {
	kind      kind
	name      string
	node      string // that it runs on, if any
	number    int    // of a node, from 1
	group     string // of a pod
	addresses place
	space     *netspace.Space
	process   *process        // nil where none runs
	table     *fib.Table      // of what routes
	upper     *netspace.Space // where its cable ends
	port      string          // its interface up there
	line      *wire.Line      // nil for a cable without length
	cut       bool
	drained   bool // a node that nothing new goes to

	beside   string // the balancer that a speaker speaks for
	ready    bool   // of a balancer: it said so itself
	why      string
	serves   []netip.Addr // that it carries, of a balancer that says so; nil where it carries all
	unwatch  func()       // ends watching it
	removeAt time.Time    // of a balancer that leaves; zero otherwise
	killAt   time.Time    // when a leaving one is killed that doesn't end
	leaving  bool
	parted   bool         // a leaving balancer that no member reaches any more
	begin    func() error // of a client that waits until there is a balancer; nil afterwards
	unwrap   io.Closer    // takes the outer header off tunnelled packets; nil where none arrive
	prepared io.Closer    // its port, for the driver of an engine that needs it; nil for all others
	revision uint64       // of the config it was written
	digest   string
	forward  net.Listener // to the control plane, if there is one
}

// The interfaces that every namespace calls the same.
const (
	uplink = "eth0" // towards the router
	lan    = "lan"  // the bridge of those that have one
)

// base are settings of every namespace, there before any interface is.
var base = map[string]string{
	"net/ipv4/conf/all/rp_filter": "0", "net/ipv4/conf/default/rp_filter": "0",
	"net/ipv6/conf/default/accept_ra":         "0",
	"net/ipv6/conf/all/keep_addr_on_down":     "1",
	"net/ipv6/conf/default/keep_addr_on_down": "1", // a cable that was cut can be restored
}

// forwarding makes a namespace a router that hashes flows by ports.
var forwarding = map[string]string{
	"net/ipv4/ip_forward": "1", "net/ipv6/conf/all/forwarding": "1",
	"net/ipv4/conf/all/send_redirects": "0", "net/ipv4/conf/default/send_redirects": "0",
	"net/ipv4/fib_multipath_hash_policy": "1", "net/ipv6/fib_multipath_hash_policy": "1",
}

// owner answers for service addresses that no interface of it has.
var owner = map[string]string{
	"net/ipv4/conf/all/arp_ignore": "1", "net/ipv4/conf/default/arp_ignore": "1",
	"net/ipv4/conf/all/arp_announce": "2", "net/ipv4/conf/default/arp_announce": "2",
	"net/ipv6/ip_nonlocal_bind": "1", // IPv6 would not let a socket have an address of a local prefix
}

// probed takes packets from outside that have an address of its own, as a speaker's probes
// have: without, a balancer that translates in the kernel's own stack never answers one.
var probed = map[string]string{"net/ipv4/conf/all/accept_local": "1"}

// spaceName is what a member's namespace is called.
func (l *Lab) spaceName(name string) string { return SpaceName(l.topology.Name, name) }

// SpaceName is what a laboratory calls the namespace of a member.
func SpaceName(lab, member string) string { return prefixOf(lab) + member }

func prefixOf(lab string) string { return "fl-" + lab + "-" }

// newMember makes the namespace; more settings are written over the base.
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

// linkAddress goes with an address: whoever comes under that of one that went is
// found at once, and not looked for at the other's link for seconds.
func linkAddress(of netip.Addr) net.HardwareAddr {
	hash := fnv.New32a()
	_, _ = hash.Write(of.AsSlice())
	return hash.Sum([]byte{2, 0})
}

// connect lays a member's cable to a port further up, one with a length by way
// of the delay lines' namespace.
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

// narrow lets both ends of a cable send only as much as it carries.
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

// tunnels says whether packets reach some pods inside others.
func (l *Lab) tunnels() bool {
	return slices.ContainsFunc(l.topology.Services, func(s topology.Service) bool { return datapath.Delivery(s.Delivery).Wraps() })
}

// mtu leaves room for the outer header of tunnels behind the router, as
// datacentres do; clients have the usual one. 0 is the kernel's choice.
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

// dismantle takes a member away whose process has ended. A speaker has nothing of its own
// but its configs.
func (l *Lab) dismantle(m *member) error {
	if m.kind == speaker {
		l.forget(m)
		return l.forgetConfig(m)
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
	if m.upper != nil { // the kernel would do it too, but late: the name may be wanted before
		if link, err := m.upper.Links().LinkByName(m.port); err == nil {
			errs = append(errs, m.upper.Links().LinkDel(link))
		}
	}
	if m.kind == balancer {
		errs = append(errs, unpin(m.space.Name), l.forgetConfig(m))
	}
	errs = append(errs, m.space.Delete())
	l.forget(m)
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("take %s away: %w", m.name, err)
	}
	return nil
}

func (l *Lab) forget(m *member) {
	delete(l.members, m.name)
	l.order = slices.DeleteFunc(l.order, func(name string) bool { return name == m.name })
}
