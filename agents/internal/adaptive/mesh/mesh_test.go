package mesh

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"net/netip"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/adaptive/policy"
)

var (
	keys     = Keys{Current: [KeyBytes]byte{1, 2, 3}}
	loopback = netip.MustParseAddrPort("127.0.0.1:0")
)

// full has no zero, so it takes as many bytes as figures can.
func full(rate float64) policy.Figures {
	return policy.Figures{
		Cores: 4, ServiceTime: 0.004, Rate: rate, RateOfOthers: 700, RateOfReceiver: 250, EntryRate: 900, InFlight: 12, InFlightOfReceiver: 3,
	}
}

func steady(f policy.Figures) func(string) policy.Figures {
	return func(string) policy.Figures { return f }
}

func newTestMesh(t testing.TB, at netip.AddrPort) *Mesh {
	t.Helper()
	listen := func(context.Context) (netip.AddrPort, error) { return at, nil }
	m := New(Options{Listen: listen, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(m.Close)
	return m
}

func mustSet(t testing.TB, m *Mesh, spec Spec) {
	t.Helper()
	if err := m.Set(spec); err != nil {
		t.Fatal(err)
	}
}

func wait(t testing.TB, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("timeout: %s", what)
		}
	}
}

func nodeName(i int) string { return fmt.Sprintf("nod_%03d", i) }

// newCluster returns nodes that exchange these services in one network.
func newCluster(t testing.TB, count int, services []Service) (nodes []*Mesh) {
	t.Helper()
	peers := make([]Peer, count)
	for i := range count {
		m := newTestMesh(t, loopback)
		mustSet(t, m, Spec{Self: nodeName(i), Keys: keys, Services: services})
		wait(t, "a socket", func() bool { return m.Address() != "" })
		peers[i] = Peer{nodeName(i), netip.MustParseAddrPort(m.Address())}
		nodes = append(nodes, m)
	}
	for i, m := range nodes {
		others := append(append([]Peer{}, peers[:i]...), peers[i+1:]...)
		mustSet(t, m, Spec{Self: nodeName(i), Keys: keys, Peers: others, Services: services})
	}
	return nodes
}

// servicesOf returns many, all with the same figures.
func servicesOf(count int) (all []Service) {
	for i := range count {
		all = append(all, Service{ID: fmt.Sprintf("lb_%03d", i), Figures: steady(full(1000))})
	}
	return all
}

func TestNodesReceiveWhatOthersHaveForThem(t *testing.T) {
	a, b := newTestMesh(t, loopback), newTestMesh(t, loopback)
	services := func(self string) []Service {
		return []Service{
			{ID: "lb_1", Figures: func(receiver string) policy.Figures {
				f := full(float64(len(self)))
				f.RateOfReceiver = float64(len(receiver))
				return f
			}},
			{ID: "lb_2"},
		}
	}
	mustSet(t, a, Spec{Self: "a", Keys: keys, Services: services("a")})
	mustSet(t, b, Spec{Self: "beta", Keys: keys, Services: services("beta")})
	wait(t, "sockets", func() bool { return a.Address() != "" && b.Address() != "" })
	mustSet(t, a, Spec{Self: "a", Keys: keys, Services: services("a"), Peers: []Peer{{"beta", netip.MustParseAddrPort(b.Address())}}})
	mustSet(t, b, Spec{Self: "beta", Keys: keys, Services: services("beta"), Peers: []Peer{{"a", netip.MustParseAddrPort(a.Address())}}})

	wait(t, "figures", func() bool { return len(a.Latest(nil, "beta")) > 0 && len(b.Latest(nil, "a")) > 0 })
	got := a.Latest(nil, "beta")
	if len(got) != 1 || got[0].Service != "lb_1" || got[0].Rate != 4 || got[0].RateOfReceiver != 1 || math.Abs(got[0].ServiceTime-0.004) > 0.004*2e-5 {
		t.Errorf("a has %+v", got)
	}
	if got := b.Latest(nil, "a")[0]; got.Rate != 1 || got.RateOfReceiver != 4 || got.Age < 0 || got.Age > policy.OldestFigures {
		t.Errorf("beta has %+v", got)
	}
	if got := a.Latest(nil, "gamma"); got != nil {
		t.Errorf("of a node that isn't a peer: %+v", got)
	}
	if got := a.Counters().Received; got[Accepted] == 0 || got[Forged]+got[Late]+got[TooFast]+got[Malformed] > 0 {
		t.Errorf("received %v", got)
	}
}

func TestAPeerIsForgottenWithItsFigures(t *testing.T) {
	nodes := newCluster(t, 2, servicesOf(1))
	a := nodes[0]
	wait(t, "figures", func() bool { return len(a.Latest(nil, nodeName(1))) > 0 })
	before := a.Counters()
	mustSet(t, a, Spec{Self: nodeName(0), Keys: keys, Services: servicesOf(1)})
	if got := a.Latest(nil, nodeName(1)); got != nil {
		t.Errorf("got %+v", got)
	}
	wait(t, "its datagrams are dropped", func() bool { return a.Counters().Received[Unknown] > 1 })
	if now := a.Counters(); now.Sent < before.Sent || now.Received[Accepted] < before.Received[Accepted] {
		t.Errorf("counters decrease: %+v, then %+v", before, now)
	}
}

func TestServicesThatStayKeepTheirFigures(t *testing.T) {
	nodes := newCluster(t, 2, servicesOf(3))
	a := nodes[0]
	wait(t, "figures", func() bool { return len(a.Latest(nil, nodeName(1))) == 3 })
	nodes[1].Close()
	spec := a.spec
	spec.Services = []Service{{ID: "lb_new"}, spec.Services[2], spec.Services[0]}
	mustSet(t, a, spec)
	var names []string
	for _, one := range a.Latest(nil, nodeName(1)) {
		names = append(names, one.Service)
	}
	if got := strings.Join(names, " "); got != "lb_002 lb_000" {
		t.Errorf("got %q", got)
	}
	wait(t, "old figures are dropped", func() bool { return a.Latest(nil, nodeName(1)) == nil })
}

func TestASpecThatCannotBeExchangedIsRejected(t *testing.T) {
	many := make([]Peer, PeersMost+1)
	for i := range many {
		many[i].Node = nodeName(i)
	}
	m := newTestMesh(t, loopback)
	for name, spec := range map[string]Spec{
		"without a key":         {Self: "a"},
		"node a is given twice": {Self: "a", Keys: keys, Peers: []Peer{{Node: "a"}}},
		"a service has no ID":   {Self: "a", Keys: keys, Services: []Service{{}}},
		"lb_1 is given twice":   {Self: "a", Keys: keys, Services: []Service{{ID: "lb_1"}, {ID: "lb_1"}}},
		"give at most 465":      {Self: "a", Keys: keys, Peers: many},
	} {
		if err := m.Set(spec); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v", name, err)
		}
		if m.Address() != "" {
			t.Errorf("%s: it runs", name)
		}
	}
}

func TestIDsWithTheSameNumberAreNamed(t *testing.T) {
	length := func(id string) uint64 { return uint64(len(id)) }
	err := checkNumbers("service", []string{"lb_1", "lb_22", "lb_3"}, length)
	if err == nil || !strings.Contains(err.Error(), "services lb_1 and lb_3 have the same number") {
		t.Errorf("got %v", err)
	}
	if err := checkNumbers("service", []string{"lb_1", "lb_22"}, length); err != nil {
		t.Error(err)
	}
}

func TestFiguresThatNoServiceCanHaveAreNotSent(t *testing.T) {
	wrong := full(1000)
	wrong.InFlight = -1
	services := servicesOf(2)
	services[0].Figures = steady(wrong)
	nodes := newCluster(t, 2, services)
	wait(t, "figures", func() bool { return len(nodes[0].Latest(nil, nodeName(1))) > 0 })
	if got := nodes[0].Latest(nil, nodeName(1)); len(got) != 1 || got[0].Service != "lb_001" {
		t.Errorf("got %+v", got)
	}
	if nodes[1].Counters().Unusable == 0 {
		t.Error("they aren't counted")
	}
}
