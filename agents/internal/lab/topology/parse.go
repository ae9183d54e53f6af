package topology

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// Limits: one machine, and the address ranges.
const (
	mostBytes      = 1 << 20
	mostNodes      = 64
	mostReflectors = 8
	mostMembers    = 250 // of one kind
	leastPorts     = 16
)

// MostDelay of a cable, one way: halfway round the world.
const MostDelay = 50 * time.Millisecond

// Parse reads a topology. Nearly everything has a default: "name: demo" alone is one.
func Parse(data []byte) (*Topology, error) {
	if len(data) > mostBytes {
		return nil, fmt.Errorf("the topology has %d bytes, more than the limit of %d: is it the right file?", len(data), mostBytes)
	}
	root, err := onlyDocument(data)
	if err != nil {
		return nil, err
	}
	var w written
	if err := w.read(value{path: "topology", node: root}); err != nil {
		return nil, err
	}
	return w.complete()
}

func onlyDocument(data []byte) (*yaml.Node, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var document, second yaml.Node
	err := decoder.Decode(&document)
	if errors.Is(err, io.EOF) || (err == nil && len(document.Content) == 0) {
		return nil, errors.New("the topology is empty: write at least \"name: demo\"")
	}
	if err != nil {
		return nil, fmt.Errorf("the topology is not valid YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if err := decoder.Decode(&second); !errors.Is(err, io.EOF) {
		return nil, errors.New("the file holds more than one topology (\"---\"): keep one")
	}
	return document.Content[0], nil
}

// written is the document as typed, before groups are expanded and defaults filled in.
type written struct {
	topology   Topology
	families   []string
	nodes      []group
	reflectors []group
	balancers  []group
	pods       []group
	services   []Service
	clients    []group
}

// group is one entry for one or more members.
type group struct {
	at       value
	name     string
	count    int // 0 when not given: then the name is the member's own
	node     string
	link     Link
	cluster  string
	adaptive bool
	weight   uint16
	command  []string
	ports    int
	traffic  []Traffic
}

func (w *written) read(root value) error {
	t := &w.topology
	return root.object(fields{
		"name":      text(&t.Name),
		"network":   word(&t.Network, Flat, Routed),
		"nextHops":  word(&t.NextHops, Resilient, Plain),
		"routing":   word(&t.Routing, Own, BGP),
		"detection": duration(&t.Detection, 10*time.Millisecond, time.Second),
		"families":  texts(&w.families),
		"engine":    word(&t.Engine, "auto", "tcx", "xdp", "ipvs", "nftables", "userspace"),
		"command":   texts(&t.Command),
		"restart":   restart(&t.Restart),
		"backends":  yes(&t.Backends),
		"prefixes": func(v value) error {
			return v.object(fields{
				"pods4": prefix(&t.Prefixes.Pods4, "10.64.0.0/16"), "pods6": prefix(&t.Prefixes.Pods6, "fd64::/48"),
				"services4": prefix(&t.Prefixes.Services4, "203.0.113.0/24"), "services6": prefix(&t.Prefixes.Services6, "2001:db8:113::/64"),
			})
		},
		"reflectors": groups(&w.reflectors, mostReflectors, func(g *group) fields {
			known := g.link.fields()
			known["command"] = texts(&g.command)
			return known
		}),
		"nodes": groups(&w.nodes, mostNodes, func(g *group) fields {
			known := g.link.fields()
			known["adaptive"] = yes(&g.adaptive)
			known["cluster"] = text(&g.cluster)
			return known
		}),
		"balancers": groups(&w.balancers, mostMembers, func(g *group) fields { return fields{"node": text(&g.node)} }),
		"pods": groups(&w.pods, mostMembers, func(g *group) fields {
			return fields{"node": text(&g.node), "weight": number(&g.weight, 1, 256)}
		}),
		"clients": groups(&w.clients, mostMembers, func(g *group) fields {
			known := g.link.fields()
			known["node"] = text(&g.node)
			known["ports"], known["traffic"] = number(&g.ports, leastPorts, 28_000), trafficList(&g.traffic)
			return known
		}),
		"services": func(v value) error {
			w.services = []Service{}
			return v.list(mostMembers, w.readService)
		},
	})
}

func restart(into *time.Duration) func(value) error {
	return func(v value) error {
		if v.node.Value == "never" {
			*into = Never
			return nil
		}
		return duration(into, time.Millisecond, time.Hour)(v)
	}
}

func groups(into *[]group, most int, more func(*group) fields) func(value) error {
	return func(v value) error {
		*into = []group{} // an empty list is valid: none
		return v.list(most, func(entry value) error {
			g := group{at: entry, weight: 1}
			known := more(&g)
			known["name"], known["count"] = text(&g.name), number(&g.count, 1, most)
			err := entry.object(known)
			*into = append(*into, g)
			return err
		})
	}
}

func (l *Link) fields() fields {
	return fields{
		"delay": duration(&l.Delay, 0, MostDelay),
		"loss":  fraction(&l.Loss, 0, 1, "a share from 0% to 100%, such as 0.1%"),
		"mbps":  number(&l.Mbps, 1, 100_000),
	}
}

// lowestRate bounds the time between two requests, which has to fit in a duration.
const lowestRate = 0.001

func trafficList(into *[]Traffic) func(value) error {
	return func(v value) error {
		return v.list(mostMembers, func(entry value) error {
			t := Traffic{Connections: 4, PerSecond: 20}
			err := entry.object(fields{
				"service": text(&t.Service), "connections": number(&t.Connections, 1, 10_000),
				"perSecond":             fraction(&t.PerSecond, lowestRate, 1e6, "how many requests per second, at least 0.001, such as 20"),
				"requestsPerConnection": number(&t.RequestsPerConnection, 0, 1_000_000),
			})
			*into = append(*into, t)
			return err
		})
	}
}

func (w *written) readService(v value) error {
	s := Service{Serve: HTTP, Port: 80, Fill: 5 * time.Second, Drain: 30 * time.Second}
	s.Check = Check{Interval: time.Second, Timeout: time.Second, Rise: 2, Fall: 3}
	const longest = 24 * time.Hour
	err := v.object(fields{
		"name": text(&s.Name), "pods": text(&s.Group),
		"serve": word(&s.Serve, HTTP, TCP, TLS, UDP), "port": number(&s.Port, 1, 65535),
		"address4": address(&s.Address4), "address6": address(&s.Address6),
		"delivery":      word(&s.Delivery, "direct", "tunnel", "gue", "nat", "proxy"),
		"scheduler":     word(&s.Scheduler, "rr", "wrr", "lc", "wlc", "sh", "dh", "sed", "nq", "mh"),
		"proxyProtocol": yes(&s.ProxyProtocol), "session": yes(&s.Session), "zone": text(&s.Zone),
		"fill": duration(&s.Fill, 0, longest), "drain": duration(&s.Drain, 0, longest),
		"check": func(v value) error {
			return v.object(fields{
				"type": word(&s.Check.Type, "none", "tcp", "http", "udp"), "path": text(&s.Check.Path),
				"interval": duration(&s.Check.Interval, 10*time.Millisecond, time.Hour), "timeout": duration(&s.Check.Timeout, 10*time.Millisecond, time.Minute),
				"rise": number(&s.Check.Rise, 1, 100), "fall": number(&s.Check.Fall, 1, 100),
			})
		},
	})
	w.services = append(w.services, s)
	return err
}
