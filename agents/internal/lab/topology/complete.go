package topology

import (
	"errors"
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"time"
)

// Member names become names of namespaces and interfaces. The kernel limits an interface name to 15 bytes,
// and the delay line needs two. A lab's name has no dash, so that namespaces of "a" are never mistaken
// for those of "a-b".
var (
	labName    = regexp.MustCompile(`^[a-z][a-z0-9]{0,19}$`)
	memberName = regexp.MustCompile(`^[a-z]([a-z0-9-]{0,11}[a-z0-9])?$`)
)

// Router is the one member every lab has; Wires is the namespace of its delay lines.
const (
	Router = "router"
	Wires  = "wires"
)

func (w *written) complete() (*Topology, error) {
	w.fillIn()
	t := &w.topology
	names := map[string]bool{Router: true, Wires: true}
	for _, step := range []func() error{
		w.checkWhole,
		func() error {
			return spread(w.nodes, "nodes", names, func(name string, g group) { t.Nodes = append(t.Nodes, Node{name, g.link, g.cluster, g.adaptive}) })
		},
		func() error {
			return spread(w.reflectors, "reflectors", names, func(name string, g group) {
				t.Reflectors = append(t.Reflectors, Reflector{name, g.link, g.command})
			})
		},
		w.checkPlaces,
		func() error {
			return spread(w.balancers, "balancers", names, func(name string, g group) {
				t.Balancers = append(t.Balancers, Member{name, w.place(g, len(t.Balancers))})
			})
		},
		func() error {
			return spread(w.pods, "pods", names, func(name string, g group) {
				t.Pods = append(t.Pods, Pod{Member{name, w.place(g, len(t.Pods))}, g.name, g.weight})
			})
		},
		func() error {
			return spread(w.clients, "clients", names, func(name string, g group) {
				t.Clients = append(t.Clients, Client{name, g.node, g.link, g.ports, g.traffic})
			})
		},
		w.completeServices,
		w.checkTraffic,
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func (w *written) fillIn() {
	t := &w.topology
	setDefault(&t.Network, Flat)
	setDefault(&t.NextHops, Resilient)
	setDefault(&t.Routing, Own)
	setDefault(&t.Engine, "auto")
	setDefault(&t.Restart, time.Second)
	setDefault(&t.Prefixes.Pods4, netip.MustParsePrefix("10.64.0.0/16"))
	setDefault(&t.Prefixes.Pods6, netip.MustParsePrefix("fd64::/48"))
	setDefault(&t.Prefixes.Services4, netip.MustParsePrefix("203.0.113.0/24"))
	setDefault(&t.Prefixes.Services6, netip.MustParsePrefix("2001:db8:113::/64"))
	if w.families == nil {
		w.families = []string{"ipv4", "ipv6"}
	}
	if w.nodes == nil {
		w.nodes = []group{{name: "node", count: 2}}
	}
	if w.reflectors == nil && t.Routing == BGP {
		w.reflectors = []group{{name: "rr", count: 2}}
	}
	if w.balancers == nil {
		w.balancers = []group{{name: "lb", count: 2}}
	}
	if w.pods == nil {
		w.pods = []group{{name: "web", count: 3, weight: 1}}
	}
	if w.services == nil && len(w.pods) > 0 {
		web := Service{Name: w.pods[0].name, Serve: HTTP, Port: 80, Fill: 5 * time.Second, Drain: 30 * time.Second}
		web.Check = Check{Interval: time.Second, Timeout: time.Second, Rise: 2, Fall: 3}
		w.services = []Service{web}
	}
	if w.clients == nil && len(w.services) > 0 {
		steady := Traffic{Service: w.services[0].Name, Connections: 8, PerSecond: 40}
		w.clients = []group{{name: "client", traffic: []Traffic{steady}}}
	}
}

func setDefault[T comparable](field *T, otherwise T) {
	var zero T
	if *field == zero {
		*field = otherwise
	}
}

func (w *written) checkWhole() error {
	t := &w.topology
	if !labName.MatchString(t.Name) {
		return fmt.Errorf("name: %q can't name a lab: use up to 20 lower-case letters and digits, a letter first", t.Name)
	}
	for _, family := range w.families {
		switch family {
		case "ipv4":
			t.IPv4 = true
		case "ipv6":
			t.IPv6 = true
		default:
			return fmt.Errorf("families: %q is not supported: use ipv4 or ipv6, or both", family)
		}
	}
	if !t.IPv4 && !t.IPv6 {
		return errors.New("families: at least one is needed: use ipv4 or ipv6, or both")
	}
	p := t.Prefixes
	if p.Pods4.Overlaps(p.Services4) || p.Pods6.Overlaps(p.Services6) {
		return errors.New("prefixes: pods and services overlap: give the services a prefix of their own")
	}
	for _, prefix := range []netip.Prefix{p.Pods4, p.Pods6, p.Services4, p.Services6} {
		if prefix.Overlaps(Clients4) || prefix.Overlaps(Clients6) {
			return fmt.Errorf("prefixes: %s is used for clients: choose another", prefix)
		}
	}
	if t.Routing == BGP && t.Network != Flat {
		return errors.New("routing: with BGP balancers are next hops, which the router must reach directly: use the flat network, or routing lab")
	}
	if t.Detection > 0 && t.Routing != BGP {
		return errors.New("detection: it needs BGP: write routing: bgp, or leave it out")
	}
	if len(w.nodes) == 0 {
		return errors.New("nodes: at least one is needed: leave the field out for two")
	}
	return nil
}

// spread expands groups into members: "web" with count 2 becomes web-1 and web-2.
func spread(groups []group, field string, names map[string]bool, add func(string, group)) error {
	total := 0
	for i, g := range groups {
		path := fmt.Sprintf("%s[%d].name", field, i)
		for n := range max(g.count, 1) {
			name := g.name
			if g.count > 0 {
				name = fmt.Sprintf("%s-%d", g.name, n+1)
			}
			if !memberName.MatchString(name) {
				return fmt.Errorf("%s: %q is not a valid name: use up to 13 lower-case letters, digits and dashes, the number included, a letter first", path, name)
			}
			if names[name] {
				return fmt.Errorf("%s: %q is already the name of another member: choose another", path, name)
			}
			names[name] = true
			add(name, g)
		}
		if total += max(g.count, 1); total > mostMembers {
			return fmt.Errorf("%s: more than %d in total: use fewer", field, mostMembers)
		}
	}
	return nil
}

// place returns the requested node, or distributes members evenly.
func (w *written) place(g group, index int) string {
	if g.node != "" {
		return g.node
	}
	return w.topology.Nodes[index%len(w.topology.Nodes)].Name
}

func (w *written) checkPlaces() error {
	if len(w.topology.Nodes) > mostNodes {
		return fmt.Errorf("nodes: more than %d in total: use fewer", mostNodes)
	}
	if len(w.topology.Reflectors) > mostReflectors {
		return fmt.Errorf("reflectors: more than %d in total: use fewer", mostReflectors)
	}
	for i, g := range w.reflectors {
		if g.command != nil && len(g.command) == 0 {
			return fmt.Errorf("reflectors[%d].command: it is empty: write a program and its words, or leave the field out", i)
		}
	}
	known := func(name string) bool {
		return slices.ContainsFunc(w.topology.Nodes, func(n Node) bool { return n.Name == name })
	}
	for i, g := range w.clients {
		if g.node != "" && (g.link != Link{} || g.ports != 0) {
			return fmt.Errorf("clients[%d].node: a client on a node has the cable and the ports of the node: remove delay, loss, mbps and ports", i)
		}
	}
	for field, groups := range map[string][]group{"balancers": w.balancers, "pods": w.pods, "clients": w.clients} {
		for i, g := range groups {
			if g.node != "" && !known(g.node) {
				return fmt.Errorf("%s[%d].node: there is no node %q: name one of nodes, or leave the field out", field, i, g.node)
			}
		}
	}
	return nil
}

func (w *written) checkTraffic() error {
	for i, c := range w.topology.Clients {
		for _, traffic := range c.Traffic {
			if _, err := w.topology.Service(traffic.Service); err != nil {
				return fmt.Errorf("clients: traffic of %s (client %d): %w", c.Name, i+1, err)
			}
		}
	}
	return nil
}

// Service finds a service by name.
func (t *Topology) Service(name string) (Service, error) {
	for _, s := range t.Services {
		if s.Name == name {
			return s, nil
		}
	}
	return Service{}, fmt.Errorf("there is no service %q: name one of services", name)
}
