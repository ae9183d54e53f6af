package topology_test

import (
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/lab/topology"
)

func TestANameIsEnough(t *testing.T) {
	got, err := topology.Parse([]byte("name: small"))
	if err != nil {
		t.Fatal(err)
	}
	want := &topology.Topology{
		Name: "small", Network: topology.Flat, NextHops: topology.Resilient, Routing: topology.Own, IPv4: true, IPv6: true, Engine: "auto", Restart: time.Second,
		Prefixes: topology.Prefixes{
			Pods4: netip.MustParsePrefix("10.64.0.0/16"), Pods6: netip.MustParsePrefix("fd64::/48"),
			Services4: netip.MustParsePrefix("203.0.113.0/24"), Services6: netip.MustParsePrefix("2001:db8:113::/64"),
		},
		Nodes:     []topology.Node{{Name: "node-1"}, {Name: "node-2"}},
		Balancers: []topology.Member{{Name: "lb-1", Node: "node-1"}, {Name: "lb-2", Node: "node-2"}},
		Pods: []topology.Pod{
			{Member: topology.Member{Name: "web-1", Node: "node-1"}, Group: "web", Weight: 1},
			{Member: topology.Member{Name: "web-2", Node: "node-2"}, Group: "web", Weight: 1},
			{Member: topology.Member{Name: "web-3", Node: "node-1"}, Group: "web", Weight: 1},
		},
		Services: []topology.Service{{
			Name: "web", Group: "web", Serve: topology.HTTP, Port: 80, Fill: 5 * time.Second, Drain: 30 * time.Second,
			Address4: netip.MustParseAddr("203.0.113.1"), Address6: netip.MustParseAddr("2001:db8:113::1"),
			Check: topology.Check{Type: "http", Path: "/healthz", Interval: time.Second, Timeout: time.Second, Rise: 2, Fall: 3},
		}},
		Clients: []topology.Client{{Name: "client", Traffic: []topology.Traffic{{Service: "web", Connections: 8, PerSecond: 40}}}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got  %+v\nwant %+v", got, want)
	}
}

func TestEachEngineHasADefaultDeliveryAcrossRouters(t *testing.T) {
	for engine, want := range map[string]string{"auto": "nat", "tcx": "nat", "xdp": "tunnel", "ipvs": "nat", "nftables": "nat", "userspace": "proxy"} {
		got, err := topology.Parse([]byte("name: a\nnetwork: routed\nengine: " + engine + "\nservices: [{name: web}]"))
		if err != nil {
			t.Fatal(err)
		}
		if delivery := got.Services[0].Delivery; delivery != want {
			t.Errorf("%s: delivery is %q, want %s", engine, delivery, want)
		}
	}
}

func TestAllFieldsAreRead(t *testing.T) {
	got, err := topology.Parse([]byte(`
name: x
network: routed
nextHops: plain
families: [ipv6]
engine: nftables
restart: never
nodes: [{name: n, delay: 20ms, loss: 0.5%, mbps: 100, adaptive: true, cluster: west}]
balancers: []
pods: [{name: p, count: 1, node: n, weight: 7}]
services: [{name: s, pods: p, serve: udp, port: 53, address6: "2001:db8:113::53", delivery: tunnel, check: {type: none}, fill: 0s, drain: 1m}]
clients:
  - {name: c, delay: 3ms, ports: 400, traffic: [{service: s, connections: 2, perSecond: 0.5, requestsPerConnection: 3}]}
  - {name: d, node: n}
`))
	if err != nil {
		t.Fatal(err)
	}
	if got.IPv4 || !got.IPv6 || got.NextHops != topology.Plain || got.Engine != "nftables" || got.Restart != topology.Never || len(got.Balancers) != 0 {
		t.Errorf("whole: %+v", got)
	}
	if want := (topology.Node{Name: "n", Link: topology.Link{Delay: 20 * time.Millisecond, Loss: 0.005, Mbps: 100}, Cluster: "west", Adaptive: true}); got.Nodes[0] != want {
		t.Errorf("node %+v", got.Nodes[0])
	}
	if want := (topology.Pod{Member: topology.Member{Name: "p-1", Node: "n"}, Group: "p", Weight: 7}); got.Pods[0] != want {
		t.Errorf("pod %+v", got.Pods[0])
	}
	service := topology.Service{
		Name: "s", Group: "p", Serve: topology.UDP, Port: 53, Address6: netip.MustParseAddr("2001:db8:113::53"),
		Delivery: "tunnel", Drain: time.Minute,
	}
	if got.Services[0] != service {
		t.Errorf("service %+v", got.Services[0])
	}
	if want := (topology.Traffic{Service: "s", Connections: 2, PerSecond: 0.5, RequestsPerConnection: 3}); got.Clients[0].Traffic[0] != want || got.Clients[0].Ports != 400 {
		t.Errorf("traffic %+v", got.Clients[0].Traffic[0])
	}
	if on := got.Clients[1]; on.Node != "n" || got.Clients[0].Node != "" {
		t.Errorf("a client on a node: %+v", on)
	}
}

func TestEveryErrorNamesTheFieldAndTheFix(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"nothing", "", `the topology is empty: write at least "name: demo"`},
		{"no YAML", "name: [", "the topology is not valid YAML"},
		{"two documents", "name: a\n---\nname: b", `more than one topology ("---"): keep one`},
		{"a list", "- a", "line 1: topology: write fields"},
		{"no name", "network: flat", `name: "" can't name a lab: use up to 20 lower-case letters`},
		{"a dash in the name", "name: a-b", `name: "a-b" can't name a lab`},
		{"unknown field", "name: a\nnods: []", "line 2: nods: unknown field: use backends, balancers, clients, command"},
		{"unknown field below", "name: a\nnodes:\n  - {name: n, dealy: 1ms}", "line 3: nodes[0].dealy: unknown field: use adaptive, cluster, count, delay, loss, mbps or name"},
		{"twice", "name: a\nname: b", "line 2: name: it is set twice: remove one"},
		{"an alias", "name: &a x\nnetwork: *a", "network: aliases (*) aren't supported: write the value"},
		{"network", "name: a\nnetwork: mesh", `network: "mesh" is not supported: use flat or routed`},
		{"next hops", "name: a\nnextHops: none", `nextHops: "none" is not supported: use resilient or plain`},
		{"engine", "name: a\nengine: magic", `engine: "magic" is not supported: use auto, tcx`},
		{"family", "name: a\nfamilies: [ipx]", `families: "ipx" is not supported: use ipv4 or ipv6, or both`},
		{"no family", "name: a\nfamilies: []", "families: at least one is needed"},
		{"prefix", "name: a\nprefixes: {pods4: 10.0.0.0/8}", "prefixes.pods4: write a prefix of /16, such as 10.64.0.0/16"},
		{"overlap", "name: a\nprefixes: {services4: 10.64.3.0/24}", "prefixes: pods and services overlap: give the services a prefix of their own"},
		{"the clients' own", "name: a\nprefixes: {services4: 198.18.0.0/24}", "prefixes: 198.18.0.0/24 is used for clients: choose another"},
		{"no nodes", "name: a\nnodes: []", "nodes: at least one is needed"},
		{"delay", "name: a\nnodes: [{name: n, delay: 51ms}]", "nodes[0].delay: write a duration from 0s to 50ms, such as 20ms"},
		{"loss", "name: a\nnodes: [{name: n, loss: lots}]", "nodes[0].loss: write a share from 0% to 100%"},
		{"loss is no number", "name: a\nnodes: [{name: n, loss: nan}]", "nodes[0].loss: write a share"},
		{"count", "name: a\nnodes: [{name: n, count: 65}]", "nodes[0].count: write a whole number from 1 to 64"},
		{"member name", "name: a\nnodes: [{name: Node}]", `nodes[0].name: "Node" is not a valid name`},
		{"long name", "name: a\npods: [{name: abcdefghijkl, count: 2}]", `pods[0].name: "abcdefghijkl-1" is not a valid name`},
		{"taken name", "name: a\nclients: [{name: router}]", `clients[0].name: "router" is already the name of another member`},
		{"too many reflectors", "name: a\nreflectors: [{name: rr, count: 5}, {name: rs, count: 5}]", "reflectors: more than 8 in total: use fewer"},
		{"a reflector's command", "name: a\nreflectors: [{name: rr, command: []}]", "reflectors[0].command: it is empty: write a program and its words"},
		{"a reflector's name", "name: a\nreflectors: [{name: node-1}]", `reflectors[0].name: "node-1" is already the name of another member`},
		{"nowhere", "name: a\npods: [{name: web, node: n}]", `pods[0].node: there is no node "n": name one of nodes`},
		{"a client nowhere", "name: a\nclients: [{name: c, node: n}]", `clients[0].node: there is no node "n": name one of nodes`},
		{"a client on a node with a cable", "name: a\nclients: [{name: c, node: node-1, delay: 1ms}]", "clients[0].node: a client on a node has the cable and the ports of the node"},
		{"no such pods", "name: a\nservices: [{name: s}]", `services[0].pods: there are no pods "s": name one of pods`},
		{"port", "name: a\nservices: [{name: web, port: 0}]", "services[0].port: write a whole number from 1 to 65535"},
		{"outside", "name: a\nservices: [{name: web, address4: 192.0.2.1}]", "services[0].address4: 192.0.2.1 is outside 203.0.113.0/24: choose one inside"},
		{"no address", "name: a\nservices: [{name: web, address4: here}]", `services[0].address4: "here" is not an address`},
		{"family is off", "name: a\nfamilies: [ipv6]\nservices: [{name: web, address4: 203.0.113.1}]", "services[0].address4: this family is not in families"},
		{"same service", "name: a\nservices: [{name: web}, {name: b, pods: web, address4: 203.0.113.1}]", "services[1].port: 203.0.113.1:80 is the service web already"},
		{"same port, other speech", "name: a\nservices: [{name: web}, {name: b, pods: web, serve: tcp}]", "services[1].serve: the service web has the same pods serve http on port 80"},
		{"direct across routers", "name: a\nnetwork: routed\nservices: [{name: web, delivery: direct}]", "services[0].delivery: direct needs all pods on one layer 2"},
		{"proxy protocol", "name: a\nservices: [{name: web, proxyProtocol: true}]", "services[0].proxyProtocol: only delivery: proxy can write it"},
		{"zone without TLS", "name: a\nservices: [{name: web, zone: shop.example}]", "services[0].zone: only clients of serve: tls send names"},
		{"session without TLS", "name: a\nengine: tcx\nservices: [{name: web, session: true}]", "services[0].session: only serve: tls has sessions"},
		{"session by names", "name: a\nengine: tcx\nservices: [{name: web, serve: tls, session: true, zone: shop.example}]", "services[0].session: with a zone, names choose the pod"},
		{"session by another engine", "name: a\nservices: [{name: web, serve: tls, session: true}]", "services[0].session: only the engine tcx places connections by session"},
		{"session by another way", "name: a\nengine: tcx\nservices: [{name: web, serve: tls, session: true, delivery: nat}]", "services[0].delivery: nat changes the packets of a session"},
		{"zone that is none", "name: a\nservices: [{name: web, serve: tls, zone: Shop_}]", `services[0].zone: "Shop_" is not a DNS zone`},
		{"zone by another way", "name: a\nservices: [{name: web, serve: tls, zone: shop.example, delivery: nat}]", "services[0].delivery: only proxy reads the names of zone"},
		{"check of UDP", "name: a\nservices: [{name: web, serve: udp, check: {type: http}}]", "services[0].check.type: http can't check what serves udp"},
		{"path of TCP", "name: a\nservices: [{name: web, check: {type: tcp, path: /}}]", "services[0].check.path: only type: http has a path"},
		{"path", "name: a\nservices: [{name: web, check: {path: healthz}}]", `services[0].check.path: "healthz" must begin with a slash`},
		{"traffic to nowhere", "name: a\nclients: [{name: c, traffic: [{service: s}]}]", `traffic of c (client 1): there is no service "s"`},
		{"ports", "name: a\nclients: [{name: c, ports: 1}]", "clients[0].ports: write a whole number from 16 to 28000"},
		{"rate", "name: a\nclients: [{name: c, traffic: [{service: web, perSecond: -1}]}]", "clients[0].traffic[0].perSecond: write how many requests per second"},
		{"no rate", "name: a\nclients: [{name: c, traffic: [{service: web, perSecond: 0}]}]", "clients[0].traffic[0].perSecond: write how many requests per second, at least 0.001"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := topology.Parse([]byte(test.in))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("err = %v\nwant   %s", err, test.want)
			}
		})
	}
}

func TestShippedTopologiesAreValid(t *testing.T) {
	for _, path := range shipped(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := topology.Parse(data); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// Any input gives either a complete topology or an error.
func FuzzParse(f *testing.F) {
	for _, path := range shipped(f) {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("name: a\nnodes: [{name: n, count: 64, delay: 50ms, loss: 1e-3}]\nrestart: 0s"))
	f.Add([]byte("a: &a [*a, *a]\nname: {}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := topology.Parse(data)
		if err != nil {
			if got != nil || err.Error() == "" {
				t.Fatalf("%+v, %q", got, err)
			}
			return
		}
		names := map[string]bool{}
		add := func(name, node string) {
			if names[name] || len(name) > 13 || name == "" {
				t.Fatalf("the name %q of %q", name, data)
			}
			names[name] = true
			if node != "" && !names[node] {
				t.Fatalf("%s is on %q", name, node)
			}
		}
		for _, node := range got.Nodes {
			add(node.Name, "")
		}
		for _, member := range got.Balancers {
			add(member.Name, member.Node)
		}
		for _, pod := range got.Pods {
			add(pod.Name, pod.Node)
		}
		for _, client := range got.Clients {
			add(client.Name, "")
		}
		for _, service := range got.Services {
			if len(service.Addresses()) == 0 || service.Port == 0 {
				t.Fatalf("service %+v", service)
			}
		}
	})
}

func shipped(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob("../topologies/*.yaml")
	if err != nil || len(paths) < 3 {
		t.Fatalf("shipped topologies: %v, %v", paths, err)
	}
	return paths
}
