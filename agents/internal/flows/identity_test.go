package flows

import (
	"testing"

	"fairlead.dev/agents/internal/flows/flowstest"
)

func TestOnlyPeersWithTheirOwnCertificateExchangeFlows(t *testing.T) {
	ours, theirs := newAuthority(t), newAuthority(t)
	for _, test := range []struct {
		name          string
		first, second func() (*Identity, error)
		firstIs       string // name that the second expects
		received      bool
	}{
		{"peers", ours.agent(t, "agent_1"), ours.agent(t, "agent_2"), "agent_1", true},
		{"an impostor", ours.agent(t, "agent_3"), ours.agent(t, "agent_2"), "agent_1", false},
		{"an unknown agent subscribes", ours.agent(t, "agent_1"), ours.agent(t, "agent_4"), "agent_1", false},
		{"another authority", ours.agent(t, "agent_1"), theirs.agent(t, "agent_2"), "agent_1", false},
		{"no certificate", ours.agent(t, "agent_1"), nil, "agent_1", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel() // it mostly waits
			first := newReplica(t, "127.0.0.1:0", test.first, samples[0])
			first.SetPeers([]Peer{{"agent_2", "127.0.0.1:1"}})
			second := newReplica(t, "127.0.0.1:0", test.second)
			second.SetPeers([]Peer{{test.firstIs, first.Address()}})
			if test.received {
				until(t, "full set", second.knows(samples[0]))
				return
			}
			until(t, "end of waiting", second.ReceivedAll)
			if second.knows(samples[0])() {
				t.Fatal("learnt from a peer it must reject")
			}
		})
	}
}

type authority struct{ *flowstest.Authority }

func newAuthority(t *testing.T) authority {
	t.Helper()
	return authority{flowstest.NewAuthority(t)}
}

func (a authority) agent(t *testing.T, name string) func() (*Identity, error) {
	t.Helper()
	certificate := a.Agent(t, name)
	return func() (*Identity, error) { return &Identity{Certificate: certificate, Authority: a.Certificate}, nil }
}
