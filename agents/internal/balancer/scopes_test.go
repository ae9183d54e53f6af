package balancer

import (
	"maps"
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/protobuf/proto"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/flows"
	"fairlead.dev/agents/internal/flows/flowstest"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

var shop, chat = netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("192.0.2.2")

// carrying is a config with these services. A service without an entry is shared with all peers.
func carrying(revision uint64, peers map[netip.Addr][]string, role []*agentv1.BalancerPeer, addresses ...netip.Addr) *agentv1.NodeConfig {
	return config(revision, func(r *agentv1.BalancerRole) {
		r.Peers = role
		template := r.Services[0]
		template.HealthCheck = nil
		r.Services = nil
		for _, address := range addresses {
			one := proto.Clone(template).(*agentv1.BalancerService)
			one.Address = address.String()
			if agents, scoped := peers[address]; scoped {
				one.Peers = &agentv1.ServicePeers{AgentIds: agents}
			}
			r.Services = append(r.Services, one)
		}
	})
}

// Two load balancers on one node, with different replica sets: what a replica doesn't carry, it isn't
// sent.
func TestFlowsAreSentOnlyToReplicasOfTheirLoadBalancer(t *testing.T) {
	flow := func(address netip.Addr, port uint16) datapath.Flow {
		return datapath.Flow{
			Service: datapath.Key{Address: address, Port: 80, Protocol: datapath.TCP}, Backend: "a",
			Client: netip.AddrPortFrom(netip.MustParseAddr("198.51.100.7"), port),
		}
	}
	authority := flowstest.NewAuthority(t)
	replicaOf := func(id string, misplaced ...datapath.Flow) *balancerReplica {
		r := newReplica(t, misplaced...)
		certificate := authority.Agent(t, id)
		r.options.Flows.Identity = func() (*flows.Identity, error) {
			return &flows.Identity{Certificate: certificate, Authority: authority.Certificate}, nil
		}
		return r
	}
	peersOf := func(r *balancerReplica, id string) []*agentv1.BalancerPeer {
		until(t, "address of "+id, func() bool { return r.address() != "" })
		return []*agentv1.BalancerPeer{{AgentId: id, Address: r.address()}}
	}
	both := replicaOf("both", flow(shop, 1), flow(chat, 1))
	listed := []*agentv1.BalancerPeer{{AgentId: "shop", Address: "127.0.0.1:1"}, {AgentId: "chat", Address: "127.0.0.1:2"}}
	both.link.configs <- carrying(1, map[netip.Addr][]string{shop: {"shop"}, chat: {"chat"}}, listed, shop, chat)
	// The other two carry both services too, so that they would store whatever they get.
	onlyShop, onlyChat := replicaOf("shop"), replicaOf("chat")
	onlyShop.link.configs <- carrying(1, nil, peersOf(both, "both"), shop, chat)
	onlyChat.link.configs <- carrying(1, nil, peersOf(both, "both"), shop, chat)
	until(t, "earlier flows", func() bool { return onlyShop.knows(flow(shop, 1))() && onlyChat.knows(flow(chat, 1))() })

	both.engine.news <- flow(chat, 2)
	both.engine.news <- flow(shop, 2)
	both.engine.news <- flow(chat, 3)
	until(t, "new flows", func() bool { return onlyShop.knows(flow(shop, 2))() && onlyChat.knows(flow(chat, 3))() })
	for port := range uint16(4) {
		if onlyShop.knows(flow(chat, port))() || onlyChat.knows(flow(shop, port))() {
			t.Errorf("port %d: a replica got flows of the other load balancer", port)
		}
	}

	both.link.configs <- carrying(2, map[netip.Addr][]string{shop: {"shop", "chat"}, chat: {"chat"}}, listed, shop, chat)
	until(t, "flows of the load balancer that it now carries", onlyChat.knows(flow(shop, 1)))
	if onlyShop.knows(flow(chat, 1))() {
		t.Error("the other replica got flows that it doesn't carry")
	}
}

// Routers may still send a replica packets of a service that moved away.
func TestAReplicaThatLosesAServiceGetsItsFlowsForAMoment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &Driver{}
		d.options.Linger = 2 * time.Second
		listed := []*agentv1.BalancerPeer{{AgentId: "one", Address: "10.0.0.1:1"}, {AgentId: "two", Address: "10.0.0.2:1"}}
		keyOf := func(address netip.Addr) datapath.Key {
			return datapath.Key{Address: address, Port: 80, Protocol: datapath.TCP}
		}
		expect := func(when string, next *agentv1.NodeConfig, want flows.Scopes) {
			t.Helper()
			spec := desired(t, next)
			got := d.scopesOf(spec, time.Now())
			d.desired = spec
			if !maps.EqualFunc(got, want, slices.Equal) {
				t.Errorf("%s: got %v, want %v", when, got, want)
			}
		}
		expect("all peers", carrying(1, nil, listed, shop, chat), flows.Scopes{})
		moved := carrying(2, map[netip.Addr][]string{shop: {"one"}}, listed, shop, chat)
		expect("two lost a service", moved, flows.Scopes{keyOf(shop): {"one", "two"}})
		time.Sleep(time.Second)
		expect("a second later", moved, flows.Scopes{keyOf(shop): {"one", "two"}})
		alone := carrying(3, map[netip.Addr][]string{shop: nil}, listed, shop, chat)
		expect("so did one", alone, flows.Scopes{keyOf(shop): {"two", "one"}})
		time.Sleep(time.Second)
		expect("after the time of the first", alone, flows.Scopes{keyOf(shop): {"one"}})
		time.Sleep(time.Second)
		expect("after the time of both", alone, flows.Scopes{keyOf(shop): {}})
		expect("a service that is removed", carrying(4, nil, listed, chat), flows.Scopes{})
	})
}

func TestAServiceOfAnEarlierControlPlaneIsSharedWithAllPeers(t *testing.T) {
	absent := desired(t, carrying(1, nil, nil, shop))
	none := desired(t, carrying(1, map[netip.Addr][]string{shop: nil}, nil, shop))
	if absent.Services[0].Peers != nil || none.Services[0].Peers == nil || absent.Equal(none) {
		t.Fatalf("absent %v, none %v", absent.Services[0].Peers, none.Services[0].Peers)
	}
}
