package balancer

import (
	"log/slog"
	"net/netip"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/protobuf/proto"

	"fairlead.dev/agents/internal/balancer/clients"
	"fairlead.dev/agents/internal/balancer/datapath"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// steadyTap has one packet to the service at each poll.
type steadyTap struct {
	open *atomic.Int64
	read bool // a poll ends when no packet waits
}

func (*steadyTap) Accept(uint32, []netip.Addr) error { return nil }
func (*steadyTap) Pause() error                      { return nil }
func (*steadyTap) Selected() (int, error)            { return 1, nil }
func (t *steadyTap) Close() error                    { t.open.Add(-1); return nil }

func (t *steadyTap) Read() (clients.Packet, bool, error) {
	if t.read = !t.read; !t.read {
		return clients.Packet{}, false, nil
	}
	packet := []byte{
		0x45, 0, 0, 40, 0, 0, 0, 0, 64, 6, 0, 0, 203, 0, 113, 7, 192, 0, 2, 1, // IPv4
		0x80, 0, 0, 80, 0, 0, 0, 0, 0, 0, 0, 0, 0x50, 0, 0, 0, 0, 0, 0, 0, // TCP
	}
	return clients.Packet{Data: packet, Length: 1000, Link: 14}, true, nil
}

// sampledBench counts the open taps.
func sampledBench(t *testing.T, engine string) (b *bench, open *atomic.Int64) {
	t.Helper()
	b, open = newBench(t, t.TempDir(), engine), &atomic.Int64{}
	b.Driver.sampler = clients.NewSampler(func() (clients.Tap, error) {
		open.Add(1)
		return &steadyTap{open: open}, nil
	})
	return b, open
}

func sampled(is bool) func(*agentv1.BalancerRole) {
	return service(func(s *agentv1.BalancerService) { s.SampleClients = is })
}

func clientsOf(t *testing.T, b *bench) *agentv1.ClientSample {
	t.Helper()
	observed, err := b.Observe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return observed.Status.GetServices()[0].GetClients()
}

func TestClientsAreSampledWhileAServiceRequestsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, open := sampledBench(t, "tcx")
		defer b.Close()
		mustSet(t, b, config(1))
		synctest.Wait()
		if got := clientsOf(t, b); got != nil || open.Load() != 0 {
			t.Fatalf("not requested: %v, %d taps", got, open.Load())
		}
		mustSet(t, b, config(2, sampled(true)))
		synctest.Wait()
		if got := clientsOf(t, b); !proto.Equal(got, &agentv1.ClientSample{OneIn: 1}) {
			t.Errorf("at first: %v", got)
		}
		time.Sleep(10*time.Second + 10*time.Millisecond)
		synctest.Wait()
		got := clientsOf(t, b)
		networks := got.GetNetworks()
		if got.GetSeconds() != 10 || got.GetOneIn() != 1 || len(networks) != 1 || networks[0].GetPrefix() != "203.0.113.0/24" {
			t.Fatalf("got %v", got)
		}
		// 50 polls a second, and one more at the end of each interval.
		if pps := networks[0].GetPacketsPerSecond(); pps < 50 || pps > 51.5 || networks[0].GetThroughputBps() != 8000*pps {
			t.Errorf("got %v", got)
		}
		mustSet(t, b, config(3))
		synctest.Wait()
		if got := clientsOf(t, b); got != nil || open.Load() != 0 {
			t.Errorf("no longer requested: %v, %d taps", got, open.Load())
		}
		mustSet(t, b, config(4, sampled(true)))
		synctest.Wait()
		if _, err := b.Set(t.Context(), Desired{Revision: 5}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if open.Load() != 0 {
			t.Errorf("the role is off, and %d taps are open", open.Load())
		}
	})
}

// Whether clients are sampled changes nothing in the data path.
func TestSamplingAloneDoesNotChangeTheEngine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, _ := sampledBench(t, "tcx")
		defer b.Close()
		mustSet(t, b, config(1))
		before := b.engines["tcx"].setAt
		time.Sleep(time.Second)
		if changes := mustSet(t, b, config(2, sampled(true))); changes != 0 || b.engines["tcx"].setAt != before {
			t.Errorf("%d changes; the engine was set at %s and again at %s", changes, before, b.engines["tcx"].setAt)
		}
		if !desired(t, config(1)).Equal(desired(t, config(2, sampled(true)))) {
			t.Error("the specs aren't equal for the data path")
		}
	})
}

func TestAnEngineThatTakesPacketsBeforeTapsIsAProblem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, open := sampledBench(t, "xdp")
		defer b.Close()
		mustSet(t, b, config(1, sampled(true)))
		synctest.Wait()
		const want = "The xdp engine forwards packets before they can be sampled. Use the engine tcx to sample clients."
		if got := clientsOf(t, b); got.GetProblem() != want || open.Load() != 0 {
			t.Errorf("got %v, %d taps", got, open.Load())
		}
	})
}

// The default tap is on the interface of the engine.
func TestClientsAreSampledOnTheInterfaceOfTheEngine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, t.TempDir(), "tcx")
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
		b.Driver = NewDriver(Options{
			Candidates: b.options.Candidates, StateFolder: t.TempDir(), Probe: b.probe,
			Engine: datapath.Options{Interface: "absent0"}, Log: slog.New(slog.DiscardHandler),
		})
		defer b.Close()
		mustSet(t, b, config(1, sampled(true)))
		synctest.Wait()
		const want = "Clients can't be sampled: find interface absent0: route ip+net: no such network interface."
		if got := clientsOf(t, b); got.GetProblem() != want {
			t.Errorf("got %v", got)
		}
	})
}
