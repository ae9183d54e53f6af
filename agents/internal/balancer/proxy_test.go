package balancer

import (
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/session/proxied"
	"fairlead.dev/agents/internal/session/replica"
)

// fakeProxy is a fake of the proxy next to the engine.
type fakeProxy struct{ *fakeEngine }

func (fakeProxy) PlaceBySession(map[datapath.Key]*proxied.Table) {}

// newProxyBench has an engine that can't place connections by session, and a proxy.
func newProxyBench(t *testing.T, folder string) *bench {
	t.Helper()
	b := newBench(t, folder, "tcx", proxyEngine)
	open := b.options.Candidates[1].Open
	b.options.Candidates[1].Open = func(options datapath.Options) (datapath.Engine, error) {
		_, err := open(options)
		return fakeProxy{b.engines[proxyEngine]}, err
	}
	return b
}

// twoBySession are services at the ports 80 and 81, with the proxy as a fallback.
func twoBySession(role *agentv1.BalancerRole) {
	bySession(func(s *agentv1.BalancerService) { s.Session.Fallbacks = []string{"proxy", "plain"} })(role)
	first := role.Services[0]
	second := &agentv1.BalancerService{
		LoadBalancerId: "lb_2", ExposureId: "exp_2", Address: first.Address, Port: 81, Protocol: "tcp", Session: first.Session,
		Backends: []*agentv1.BalancerBackend{{Id: "c", Address: "10.0.0.3", Port: 81, Weight: 1, State: "active"}},
	}
	role.Services = append(role.Services, second)
}

func keyAt(port uint16) datapath.Key {
	return datapath.Key{Address: netip.MustParseAddr("192.0.2.1"), Port: port, Protocol: datapath.TCP}
}

// lacksFor makes a service lack backends by session for this time.
func (b *bench) lacksFor(t *testing.T, port uint16, span time.Duration) {
	t.Helper()
	b.running.placing.fallbacks[keyAt(port)].lacking = time.Now().Add(-span)
	mustSet(t, b, config(2, twoBySession))
}

func (b *bench) proxied() (ports []uint16) {
	for _, one := range b.proxy.carried {
		ports = append(ports, one.Key.Port)
	}
	return ports
}

// Only that service's connections have ended already.
func TestAProcessThatStartsContinuesWithTheProxyForWhatItCarried(t *testing.T) {
	folder := t.TempDir()
	b := newProxyBench(t, folder)
	mustSet(t, b, config(1, twoBySession))
	b.running.placing.fallbacks[keyAt(81)].wasBySession = true
	b.lacksFor(t, 80, proxyFirstAfter)
	if got := b.proxied(); !slices.Equal(got, []uint16{80}) {
		t.Fatalf("by the proxy: %v", got)
	}
	for range 2 { // nothing is lost by a short run either
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
		b = newProxyBench(t, folder)
		mustSet(t, b, config(1, twoBySession))
		if got := b.proxied(); !slices.Equal(got, []uint16{80}) {
			t.Errorf("by the proxy after a restart: %v", got)
		}
	}
	defer b.Close()
	b.lacksFor(t, 81, proxyFirstAfter)
	if got := b.proxied(); !slices.Equal(got, []uint16{80}) {
		t.Errorf("a service that was by session before the restart didn't wait: %v", got)
	}
	b.lacksFor(t, 81, proxyAfter)
	if got := b.proxied(); !slices.Equal(got, []uint16{80, 81}) {
		t.Errorf("after its wait: %v", got)
	}
	mustSet(t, b, &agentv1.NodeConfig{Revision: 4})
	if _, err := os.Stat(filepath.Join(folder, fallbacksFile)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the role is off, and the file is still there: %v", err)
	}
}

func TestAFullDiskLeavesTheProxyRunning(t *testing.T) {
	folder := t.TempDir()
	b := newProxyBench(t, folder)
	defer b.Close()
	mustSet(t, b, config(1, twoBySession))
	for _, name := range []string{engineFile, fallbacksFile} {
		if err := os.MkdirAll(filepath.Join(folder, name+".new", "x"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	reasons(b)
	b.lacksFor(t, 80, proxyFirstAfter)
	if got := b.proxied(); !slices.Equal(got, []uint16{80}) || b.running.placing.fallbackIn(keyAt(80)) != fallbackProxy {
		t.Errorf("by the proxy: %v, %v", got, b.running.placing.problems)
	}
	if got := reasons(b); !slices.Equal(got, []string{EngineFailed, EngineFailed}) {
		t.Errorf("events %q", got)
	}
}

func TestAServiceThatOnlyAProxyCanCarryFailsWithoutOne(t *testing.T) {
	b := newProxyBench(t, t.TempDir())
	defer b.Close()
	broken := errors.New("it may not listen")
	b.options.Candidates[1].Preflight = func(datapath.Options) error { return broken }
	onlyProxy := config(1, bySession(func(s *agentv1.BalancerService) {
		s.Delivery, s.Session.Fallbacks = "proxy", []string{"proxy", "plain"}
	}))
	mustSet(t, b, onlyProxy)
	status := func() (string, bool) {
		observed, err := b.Observe(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		one := observed.Status.GetServices()[0]
		return one.GetSession().GetFallback() + ": " + one.GetSession().GetProblem(), one.GetReady()
	}
	if got, ready := status(); ready || got != ": The delivery changes packets, so no backend can take connections by TLS session. The proxy can't carry the connections: it may not listen." {
		t.Errorf("ready %t, %s", ready, got)
	}
	b.options.Candidates[1].Preflight = func(datapath.Options) error { return nil }
	onlyProxy.Revision++
	mustSet(t, b, onlyProxy)
	if got, ready := status(); !ready || got[:7] != "proxy: " {
		t.Errorf("ready %t, %s", ready, got)
	}
}

// fakePlacer fails while it has an error.
type fakePlacer struct{ err error }

func (p *fakePlacer) Set([]replica.Service) error        { return p.err }
func (*fakePlacer) Observe() (c replica.Counts, _ error) { return c, nil }
func (*fakePlacer) LacksIDs(datapath.Key) []string       { return nil }
func (*fakePlacer) Close() error                         { return nil }

func TestTheProgramIsSetAgainSoonAfterAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newProxyBench(t, t.TempDir())
		defer b.Close()
		mustSet(t, b, config(1))
		reasons(b)
		failing := &fakePlacer{errors.New("no memory")}
		b.running.placing.placer = failing
		mustSet(t, b, config(2))
		for _, pause := range []time.Duration{time.Second, 2 * time.Second, 4 * time.Second} {
			if b.running.placing.isCarried() || b.running.placing.pause != pause {
				t.Fatalf("the next try is in %s, want %s", b.running.placing.pause, pause)
			}
			time.Sleep(pause + time.Second/2)
			synctest.Wait()
			<-b.wake
			if _, err := b.Woken(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if got := reasons(b); !slices.Equal(got, []string{EngineFailed}) {
			t.Errorf("events %q", got)
		}
		failing.err = nil
		time.Sleep(pauseMost)
		if _, err := b.Woken(t.Context()); err != nil || !b.running.placing.isCarried() {
			t.Errorf("not set again: %v", err)
		}
	})
}

func TestTriesAfterAFailureDontAddUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newProxyBench(t, t.TempDir())
		defer b.Close()
		mustSet(t, b, config(1))
		b.running.placing.placer = &fakePlacer{errors.New("no memory")}
		for range 20 {
			mustSet(t, b, config(2))
			time.Sleep(time.Second)
		}
		tries := 0
		for range 300 {
			time.Sleep(time.Second)
			synctest.Wait()
			select {
			case <-b.wake:
				tries++
				if _, err := b.Woken(t.Context()); err != nil {
					t.Fatal(err)
				}
			default:
			}
		}
		if tries > 300/int(pauseMost/time.Second)+1 {
			t.Errorf("%d tries in 5 minutes", tries)
		}
	})
}

func TestAddressesAreReadOnceForAReport(t *testing.T) {
	b := newProxyBench(t, t.TempDir())
	defer b.Close()
	mustSet(t, b, config(1, twoBySession))
	reads := 0
	b.running.placing.listensOf = func(string) ([]netip.AddrPort, error) {
		reads++
		return []netip.AddrPort{netip.MustParseAddrPort("10.0.0.9:7447")}, nil
	}
	observed, err := b.Observe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range observed.Status.GetServices() {
		if one.GetSession().GetAddress() != "10.0.0.9:7447" {
			t.Errorf("reported %v", one)
		}
	}
	if reads != 1 {
		t.Errorf("read %d times", reads)
	}
}
