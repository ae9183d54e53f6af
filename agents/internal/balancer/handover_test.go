package balancer

import (
	"context"
	"log/slog"
	"maps"
	"net/netip"
	"slices"
	"testing"
	"time"

	"fairlead.dev/agents/internal/agent"
	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/flows"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// fed is a link whose configs come from a test.
type fed struct{ configs chan *agentv1.NodeConfig }

func (l fed) Run(ctx context.Context, _ uint64) error { <-ctx.Done(); return nil }
func (l fed) Configs() <-chan *agentv1.NodeConfig     { return l.configs }
func (l fed) Waiting() int                            { return 0 }
func (l fed) Report(*agentv1.ReportRequest)           {}

// replica runs a whole agent on a fake engine that keeps flows.
type balancerReplica struct {
	*bench
	engine keeperEngine
	held   chan datapath.Held
	link   fed
}

func newReplica(t *testing.T, misplaced ...datapath.Flow) *balancerReplica {
	t.Helper()
	r := &balancerReplica{bench: newBench(t, t.TempDir(), "tcx"), link: fed{make(chan *agentv1.NodeConfig)}}
	r.engine = keeperEngine{&fakeEngine{news: make(chan datapath.Flow, 10), misplaced: misplaced}}
	r.held = make(chan datapath.Held)
	r.options.Candidates[0].Open = func(datapath.Options) (datapath.Engine, error) {
		return holderEngine{r.engine, r.held}, nil
	}
	r.options.Flows = flows.Options{Listen: flows.At("127.0.0.1:0"), Log: slog.New(slog.DiscardHandler)}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		done <- agent.Run(ctx, agent.Options{Link: r.link, StateFolder: t.TempDir(), Log: slog.New(slog.DiscardHandler)}, NewRole(r.Driver))
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return r
}

func (r *balancerReplica) knows(flow datapath.Flow) func() bool {
	return func() bool {
		r.engine.mu.Lock()
		defer r.engine.mu.Unlock()
		return slices.Contains(r.engine.learnt, flow)
	}
}

func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !holds(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("no %s within 10 s", what)
		}
	}
}

// Two whole agents over real sockets: each learns where the other placed connections.
func TestReplicasLearnFlowsFromEachOther(t *testing.T) {
	flow := func(port uint16) datapath.Flow {
		return datapath.Flow{
			Service: desired(t, config(1)).Services[0].Wanted.Key, Backend: "a",
			Client: netip.AddrPortFrom(netip.MustParseAddr("198.51.100.7"), port),
		}
	}
	first := newReplica(t, flow(1))
	first.link.configs <- config(1)
	where := func() string { return first.address() }
	until(t, "address of the first", func() bool { return where() != "" })

	second := newReplica(t)
	second.link.configs <- config(1, func(r *agentv1.BalancerRole) {
		r.Peers = []*agentv1.BalancerPeer{{AgentId: "first", Address: where()}}
	})
	until(t, "earlier flow", second.knows(flow(1)))
	until(t, "readiness", func() bool { ready, _ := second.ready.Load().now(); return ready })
	// The second passes on the first's flows to a replica that can't reach the first.
	third := newReplica(t)
	third.link.configs <- config(1, func(r *agentv1.BalancerRole) {
		r.Peers = []*agentv1.BalancerPeer{{AgentId: "second", Address: second.address()}}
	})
	until(t, "flow of one that is gone", third.knows(flow(1)))
	first.engine.news <- flow(2)
	until(t, "flow that was just established", second.knows(flow(2)))

	// The first has a newer config than the second, and sends a flow of a backend that
	// the second learns of only later.
	early := flow(3)
	early.Backend = "c"
	first.engine.news <- early
	first.engine.news <- flow(4)
	until(t, "flow sent after the early one", second.knows(flow(4)))
	if second.knows(early)() {
		t.Fatal("learnt of a backend that isn't there")
	}
	second.link.configs <- config(2, service(func(s *agentv1.BalancerService) {
		s.Backends = append(s.Backends, &agentv1.BalancerBackend{Id: "c", Address: "10.0.0.3", Port: 80, Weight: 1, State: "filling"})
	}))
	until(t, "early flow", second.knows(early))
}

// The replica that placed a flow may be long gone when another takes its place.
func TestLearntFlowsArePassedOnWithTheirAge(t *testing.T) {
	flow := func(port uint16, age time.Duration) datapath.Flow {
		return datapath.Flow{
			Service: desired(t, config(1)).Services[0].Wanted.Key, Backend: "a", Age: age,
			Client: netip.AddrPortFrom(netip.MustParseAddr("198.51.100.7"), port),
		}
	}
	now := time.Now()
	h := &handover{
		keeper: holderEngine{keeperEngine{&fakeEngine{learnt: []datapath.Flow{flow(1, 10*time.Minute), flow(2, 2*time.Minute)}}}, nil},
		recent: []*learntBatch{{now.Add(-time.Hour), []datapath.Flow{flow(3, 0)}}, {now.Add(-10 * time.Second), []datapath.Flow{flow(2, time.Minute), flow(4, 0)}}},
	}
	received, err := h.received(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[uint16]time.Duration{}
	for _, one := range received {
		got[one.Client.Port()] = one.Age.Truncate(10 * time.Second)
	}
	want := map[uint16]time.Duration{1: 10 * time.Minute, 2: 70 * time.Second, 4: 10 * time.Second}
	if !maps.Equal(got, want) || len(received) != len(want) {
		t.Errorf("learnt flows are %v, want ages %v", received, want)
	}
}

// Flows that the engine has learnt aren't kept: it can list them itself.
func TestOnlyFlowsThatCouldNotBeLearntAreKept(t *testing.T) {
	flow := func(port uint16, backend string) datapath.Flow {
		return datapath.Flow{
			Service: desired(t, config(1)).Services[0].Wanted.Key, Backend: backend,
			Client: netip.AddrPortFrom(netip.MustParseAddr("198.51.100.7"), port),
		}
	}
	engine := &fakeEngine{services: []datapath.Service{desired(t, config(1)).Services[0].Wanted}}
	h := &handover{keeper: holderEngine{keeperEngine{engine}, nil}, atOnce: true}
	for _, received := range [][]datapath.Flow{
		{flow(1, "a"), flow(2, "b")}, {flow(3, "a"), flow(4, "new"), flow(5, "new")}, {flow(6, "new")}, {flow(7, "b")},
	} {
		if err := h.learnNow(received); err != nil {
			t.Fatal(err)
		}
	}
	kept := func() (ports []uint16) {
		for _, one := range h.recent {
			for _, flow := range one.flows {
				ports = append(ports, flow.Client.Port())
			}
		}
		return ports
	}
	if got := kept(); !slices.Equal(got, []uint16{4, 5, 6}) || h.remembered != 3 || len(h.recent) != 2 {
		t.Errorf("kept those of the ports %d, counted %d in %d batches", got, h.remembered, len(h.recent))
	}
	h.recent[0].at = time.Now().Add(-2 * recentFor)
	h.remember(nil, time.Now())
	if got := kept(); !slices.Equal(got, []uint16{6}) || h.remembered != 1 {
		t.Errorf("later kept those of the ports %d, counted %d", got, h.remembered)
	}
	h.remember(make([]datapath.Flow, learntMost), time.Now())
	if h.remembered != learntMost {
		t.Errorf("keeps %d flows, %d at most", h.remembered, learntMost)
	}
}

// All replicas apply the same change at the same time, and each of them may be busy with
// it for longer than first packets are held.
func TestAFirstPacketIsAcknowledgedDuringASet(t *testing.T) {
	first, second := newReplica(t), newReplica(t)
	first.link.configs <- config(1)
	until(t, "address of the first", func() bool { return first.address() != "" })
	second.link.configs <- config(1, func(r *agentv1.BalancerRole) {
		r.Peers = []*agentv1.BalancerPeer{{AgentId: "first", Address: first.address()}}
	})
	exchange := first.ready.Load().exchange
	until(t, "listener", exchange.HasSubscribers)

	busy := make(chan struct{})
	defer close(busy)
	for _, r := range []*balancerReplica{first, second} {
		r.engine.mu.Lock()
		r.engine.busy = busy
		r.engine.mu.Unlock()
	}
	waits := datapath.Flow{
		Service: desired(t, config(1)).Services[0].Wanted.Key, Backend: "a",
		Client: netip.MustParseAddrPort("198.51.100.7:1"),
	}
	for _, r := range []*balancerReplica{first, second} {
		r.link.configs <- config(2, service(func(s *agentv1.BalancerService) { s.Backends = s.Backends[1:] }))
	}
	released := make(chan struct{})
	first.held <- datapath.Held{Flow: waits, Release: func() error { close(released); return nil }}
	<-released
	if !second.knows(waits)() || exchange.Unacked() != 0 {
		t.Errorf("a first packet was released that no peer had acknowledged")
	}
}

// A replica that leaves places new connections as long as routers send it packets.
func TestAReplicaThatLeavesStaysAPeerForAMoment(t *testing.T) {
	flow := func(port uint16) datapath.Flow {
		return datapath.Flow{
			Service: desired(t, config(1)).Services[0].Wanted.Key, Backend: "a",
			Client: netip.AddrPortFrom(netip.MustParseAddr("198.51.100.7"), port),
		}
	}
	leaving := newReplica(t)
	leaving.link.configs <- config(1)
	until(t, "address of the one that leaves", func() bool { return leaving.address() != "" })
	stays := newReplica(t)
	stays.options.Linger = 500 * time.Millisecond
	stays.link.configs <- config(1, func(r *agentv1.BalancerRole) {
		r.Peers = []*agentv1.BalancerPeer{{AgentId: "leaving", Address: leaving.address()}}
	})
	until(t, "readiness", func() bool { ready, _ := stays.ready.Load().now(); return ready })
	subscribed := func() bool { return leaving.ready.Load().exchange.HasSubscribers() }
	until(t, "subscriber", subscribed)

	stays.link.configs <- config(2)
	stays.link.configs <- config(3) // applied once the previous one is carried
	leaving.engine.news <- flow(1)
	until(t, "flow that began after the config", stays.knows(flow(1)))
	until(t, "end of the subscription", func() bool { return !subscribed() })
}

// address reads the published readiness, because the loop owns the rest.
func (r *balancerReplica) address() string {
	if exchange := r.ready.Load().exchange; exchange != nil {
		return exchange.Address()
	}
	return ""
}
