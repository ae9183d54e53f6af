package flows

import (
	"net/netip"
	"slices"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

func at(one datapath.Flow, port uint16) datapath.Flow {
	one.Client = netip.AddrPortFrom(one.Client.Addr(), port)
	return one
}

func TestPeersGetOnlyFlowsOfServicesThatTheyCarry(t *testing.T) {
	shop, chat, free := samples[0], samples[1], samples[2] // free has no scope
	authority := newAuthority(t)
	first := newReplica(t, "127.0.0.1:0", authority.agent(t, "agent_1"), shop, chat, free)
	first.received = []datapath.Flow{at(shop, 7), at(chat, 7)}
	first.SetScopes(Scopes{shop.Service: {"agent_2"}, chat.Service: {"agent_3"}})
	first.SetPeers([]Peer{{"agent_2", "127.0.0.1:1"}, {"agent_3", "127.0.0.1:2"}})
	second := newReplica(t, "127.0.0.1:0", authority.agent(t, "agent_2"))
	second.SetPeers([]Peer{{"agent_1", first.Address()}})
	third := newReplica(t, "127.0.0.1:0", authority.agent(t, "agent_3"))
	third.SetPeers([]Peer{{"agent_1", first.Address()}})
	until(t, "peers that acknowledge", func() bool {
		first.Exchange.mu.Lock()
		defer first.Exchange.mu.Unlock()
		return first.listeners() == 2
	})
	until(t, "full sets", func() bool { return second.knows(free)() && third.knows(free)() })

	first.Send(at(shop, 8))
	first.Send(at(chat, 8))
	acked := make(chan struct{}, 2)
	first.SendAcked(at(shop, 9), func() { acked <- struct{}{} })
	first.SendAcked(at(chat, 9), func() { acked <- struct{}{} })
	for range 2 {
		<-acked
	}
	if first.Unacked() != 0 {
		t.Error("waited for a peer that doesn't carry the service")
	}
	until(t, "own flows", func() bool { return second.knows(at(shop, 9))() && third.knows(at(chat, 9))() })
	for _, port := range []uint16{7, 8, 9} {
		for _, test := range []struct {
			replica     *replica
			own, others datapath.Flow
		}{{second, at(shop, port), at(chat, port)}, {third, at(chat, port), at(shop, port)}} {
			if !test.replica.knows(test.own)() || test.replica.knows(test.others)() {
				t.Errorf("port %d: it learnt %v", port, test.replica.all())
			}
		}
	}

	// A replica that gets a service gets its flows at once, and not with the next periodic set.
	added := time.Now()
	first.SetScopes(Scopes{shop.Service: {"agent_2", "agent_3"}, chat.Service: {"agent_3"}})
	until(t, "flows of the added service", third.knows(shop))
	if waited := time.Since(added); waited > wholeEvery/2 {
		t.Errorf("it took %v", waited)
	}
	until(t, "flows that others placed", third.knows(at(shop, 7)))
	if second.knows(chat)() {
		t.Error("the other replica got them too")
	}
}

func TestWithoutTLSAllPeersGetAllFlows(t *testing.T) {
	first := newReplica(t, "127.0.0.1:0", nil, samples[0])
	first.SetScopes(Scopes{samples[0].Service: {"agent_9"}})
	second := newReplica(t, "127.0.0.1:0", nil)
	second.SetPeers([]Peer{{"agent_1", first.Address()}})
	until(t, "full set", second.knows(samples[0]))
}

func (r *replica) all() []datapath.Flow {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.learnt)
}
