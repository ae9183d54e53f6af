package stability

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fairlead.dev/agents/internal/bench/peer"
	"fairlead.dev/agents/internal/lab/topology"
)

// Scenario is a sequence of changes of a lab's replicas.
type Scenario struct {
	Topology *topology.Topology
	Text     string // that it was read from
	Changes  []Change
}

// Change affects one replica.
type Change struct {
	Kind    Kind
	Replica int // from 0, in the topology's order, which is the order of addresses
	Which   string
}

// Changes are the changes of a plan. Each removed replica returns. It is the middle or the last one: plain
// next hops divide the hash space in order, so its position matters. Removing the last breaks the most.
func Changes(plan string, replicas int) (changes []Change, err error) {
	middle, last := replicas/2-1, replicas-1
	switch plan {
	case "drain":
		return []Change{{Drained, last, "last"}}, nil
	case "all", "last":
	default:
		return nil, fmt.Errorf("--plan is %q; use all, last or drain", plan)
	}
	for _, kind := range []Kind{Drained, Killed, CutOff} {
		if plan == "all" {
			changes = append(changes, Change{kind, middle, "middle"}, Change{Added, middle, "middle"})
		}
		changes = append(changes, Change{kind, last, "last"}, Change{Added, last, "last"})
	}
	return changes, nil
}

// subject carries the traffic.
type subject struct {
	nextHops, behind string
	lines            []string // the lines this subject adds to the topology
}

func (s subject) name() string { return s.nextHops + ", " + s.behind }

// ours is the name of our own balancers.
const ours = "Fairlead"

// subjects are both kinds of next hops, each with our balancers and with ones that don't share connections:
// the kernel's own NAT, as kube-proxy configures it.
func subjects(program string) (all []subject) {
	const thirdParty = "nftables"
	kind := peer.Kinds[slices.IndexFunc(peer.Kinds, func(k peer.Kind) bool { return k.Name == thirdParty })]
	command := fmt.Sprintf(`command: [%q, peer, %s, --config, "{config}", --listen, "{listen}"]`, program, kind.Name)
	for _, nextHops := range []topology.NextHops{topology.Plain, topology.Resilient} {
		line := "nextHops: " + string(nextHops)
		all = append(all, subject{string(nextHops), kind.Title, []string{line, command}}, subject{string(nextHops), ours, []string{line}})
	}
	return all
}

// pick returns the named subjects.
func pick(all []subject, names []string) ([]subject, error) {
	if len(names) == 0 {
		return all, nil
	}
	var known []string
	for _, s := range all {
		known = append(known, s.name())
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("there is no subject %q; give some of: %s", name, strings.Join(known, "; "))
		}
	}
	return slices.DeleteFunc(all, func(s subject) bool { return !slices.Contains(names, s.name()) }), nil
}

// Check returns an error for an unsuitable topology.
func (s Scenario) Check() error {
	t := s.Topology
	if t.Routing != topology.BGP || t.IPv6 || len(t.Clients) != 1 {
		return fmt.Errorf("topology %s: the scenario needs routing by BGP, IPv4 alone, and one client", t.Name)
	}
	if len(t.Balancers) < 3 || t.Restart != topology.Never {
		return fmt.Errorf("topology %s: the scenario needs three balancers or more, and restart: never", t.Name)
	}
	seen := map[string]bool{}
	for _, balancer := range t.Balancers {
		if seen[balancer.Node] {
			return fmt.Errorf("topology %s: two balancers are on %s: one that returns would get another address", t.Name, balancer.Node)
		}
		seen[balancer.Node] = true
	}
	for _, traffic := range t.Clients[0].Traffic {
		if traffic.RequestsPerConnection != 0 {
			return fmt.Errorf("topology %s: connections that end by themselves hide those that broke: leave out requestsPerConnection", t.Name)
		}
	}
	for _, p := range protocols {
		if s.traffic(p.serve) == nil {
			return fmt.Errorf("topology %s: the scenario needs traffic to a service that serves %s", t.Name, p.serve)
		}
	}
	return nil
}

// traffic is the client's traffic to the service of that kind.
func (s Scenario) traffic(serve topology.Serve) *topology.Traffic {
	for i, traffic := range s.Topology.Clients[0].Traffic {
		if service, err := s.Topology.Service(traffic.Service); err == nil && service.Serve == serve {
			return &s.Topology.Clients[0].Traffic[i]
		}
	}
	return nil
}

// silence is how long a connection may be idle.
func (s Scenario) silence() (longest time.Duration) {
	for _, t := range s.Topology.Clients[0].Traffic {
		longest = max(longest, time.Duration(float64(time.Second)*float64(t.Connections)/t.PerSecond))
	}
	return longest
}
