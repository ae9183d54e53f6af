package reflector_test

import (
	"log/slog"
	"net/netip"
	"strings"
	"testing"

	"fairlead.dev/agents/internal/agent/agenttest"
	"fairlead.dev/agents/internal/bgp"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/hostaddress"
	"fairlead.dev/agents/internal/reflector"
)

var host = hostaddress.Addresses{IPv4: netip.MustParseAddr("10.0.0.10")}

func config() *agentv1.NodeConfig {
	return &agentv1.NodeConfig{Reflector: &agentv1.ReflectorRole{
		Accepts: []string{"203.0.113.0/24"},
		Bgp: &agentv1.Bgp{As: 65021, Peers: []*agentv1.BgpPeer{
			{Callers: "10.0.0.0/24", As: 65021, Client: true}, {Address: "10.0.0.1", As: 65021}, {Address: "10.0.1.1", As: 65100},
		}},
	}}
}

func TestRoutersReceiveEveryRouteAndSpeakersNone(t *testing.T) {
	desired, err := reflector.ParseDesired(config(), host)
	if err != nil {
		t.Fatal(err)
	}
	for _, peer := range desired.BGP.Peers {
		want := map[string]bgp.Peer{
			"10.0.0.0/24": {Reflected: true},
			"10.0.0.1":    {Reflected: true, Gives: bgp.EveryRoute},
			"10.0.1.1":    {Gives: bgp.EveryRoute},
		}[peer.Name()]
		if peer.Reflected != want.Reflected || peer.Gives != want.Gives {
			t.Errorf("%s: reflected is %t, receives %q", peer.Name(), peer.Reflected, peer.Gives)
		}
	}
	if len(desired.BGP.Listens) != 1 || len(desired.BGP.Accepts) != 1 {
		t.Errorf("desired %+v", desired.BGP)
	}
	if off, err := reflector.ParseDesired(&agentv1.NodeConfig{}, host); err != nil || off.On {
		t.Errorf("off: %+v, %v", off, err)
	}
}

func TestInvalidConfigsAreRejected(t *testing.T) {
	for want, spoil := range map[string]func(*agentv1.ReflectorRole){
		"AS: 0 is not a valid AS":          func(r *agentv1.ReflectorRole) { r.Bgp.As = 0 },
		"it is listed twice":               func(r *agentv1.ReflectorRole) { r.Bgp.Peers[1] = r.Bgp.Peers[2] },
		"a default route is never":         func(r *agentv1.ReflectorRole) { r.Accepts = []string{"0.0.0.0/0"} },
		`accepted prefix "x" is not valid`: func(r *agentv1.ReflectorRole) { r.Accepts = []string{"x"} },
	} {
		bad := config()
		spoil(bad.Reflector)
		if _, err := reflector.ParseDesired(bad, host); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want %q", err, want)
		}
	}
}

func TestDriver(t *testing.T) {
	agenttest.Contract(t, func(t *testing.T) agenttest.Case[reflector.Desired, reflector.Observed] {
		engine := bgp.NewFake()
		first := reflector.Desired{On: true, BGP: bgp.Desired{AS: 65021, RouterID: host.IPv4}}
		second := first
		second.BGP.Offers = []bgp.Offer{{Prefix: netip.MustParsePrefix("203.0.113.7/32"), NextHop: host.IPv4}}
		return agenttest.Case[reflector.Desired, reflector.Observed]{
			Driver: reflector.NewDriver(engine, slog.New(slog.DiscardHandler)), First: first, Second: second,
			Shows: func(observed reflector.Observed, desired reflector.Desired) bool {
				lastSet, _ := engine.LastSet()
				return observed.On == desired.On && len(lastSet.Offers) == len(desired.BGP.Offers)
			},
			Damage: func() { _ = engine.Close() },
		}
	})
}

func TestEveryTransitionBetweenTwoReportsIsReported(t *testing.T) {
	engine := bgp.NewFake()
	driver := reflector.NewDriver(engine, slog.New(slog.DiscardHandler))
	role := reflector.NewRole(driver, "lo")
	if _, err := driver.Set(t.Context(), reflector.Desired{On: true, BGP: bgp.Desired{AS: 65021, RouterID: host.IPv4}}); err != nil {
		t.Fatal(err)
	}
	peer := netip.MustParseAddr("10.0.0.1")
	engine.AddChanges(bgp.Changes{Sessions: []bgp.Transition{
		{Peer: peer, From: bgp.Established, State: bgp.Idle, Reason: "the peer closed the session"},
		{Peer: peer, From: bgp.OpenConfirm, State: bgp.Established},
	}})
	if news, err := driver.Woken(t.Context()); !news || err != nil {
		t.Fatalf("changed %t, %v", news, err)
	}
	for _, want := range []int{2, 0} {
		report := new(agentv1.ReportRequest)
		role.Fill(reflector.Observed{On: true}, report)
		if reported := report.GetBgp().GetTransitions(); len(reported) != want {
			t.Errorf("got %v, want %d", reported, want)
		}
	}
}
