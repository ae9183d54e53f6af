package balancer

import (
	"net/netip"
	"slices"
	"strings"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/session/proxied"
	"fairlead.dev/agents/internal/session/replica"
)

// fakeHandoff is a fake of the hand-off to the proxy. It fails while it has an error.
type fakeHandoff struct {
	err      error
	services []handedOff
	began    int
	removed  bool
}

func (*fakeHandoff) AddressFor(bool) (at netip.Addr, _ error) { return at, nil }
func (*fakeHandoff) Companion() (at netip.AddrPort)           { return at }
func (f *fakeHandoff) Set(services []handedOff) error         { f.services = services; return f.err }
func (f *fakeHandoff) Began(netip.AddrPort, [32]byte)         { f.began++ }
func (*fakeHandoff) Close() error                             { return nil }
func (f *fakeHandoff) Remove() error                          { f.removed = true; return nil }

// handOff makes the proxy get connections of the service at port 80.
func (b *bench) handOff(t *testing.T) *fakeHandoff {
	t.Helper()
	placing, fake := b.running.placing, &fakeHandoff{}
	placing.partsLast = map[datapath.Key]proxyPart{keyAt(80): {}}
	b.handoffs.running = fake
	if err := placing.setHandoff(placing.partsLast); err != nil {
		t.Fatal(err)
	}
	return fake
}

// beginSession reads a reply of a backend behind the proxy, which begins a session of TLS 1.2.
func (b *bench) beginSession() {
	reply := slices.Concat([]byte{22, 3, 3, 0, 74, 2, 0, 0, 70, 3, 3}, make([]byte, 32), []byte{32}, make([]byte, 32+3))
	table := b.running.placing.fallbacks[keyAt(80)].table
	table.Set(proxied.Service{IDs: true})
	table.Learn("a", reply)
}

func TestTheHandOffEndsWithItsLastBackend(t *testing.T) {
	b := newProxyBench(t, t.TempDir())
	defer b.Close()
	mustSet(t, b, config(1, twoBySession))
	fake := b.handOff(t)
	if b.beginSession(); fake.began != 1 {
		t.Fatalf("%d sessions began", fake.began)
	}
	mustSet(t, b, config(2, twoBySession)) // the engine can't place connections any more
	if !fake.removed || b.handoffs.running != nil {
		t.Error("the interfaces are still there")
	}
	if b.beginSession(); fake.began != 1 {
		t.Error("a session was added to a companion that ended")
	}
}

func TestAnEngineThatFailsLeavesTheHandOff(t *testing.T) {
	b := newBench(t, t.TempDir(), "tcx", "ipvs")
	defer b.Close()
	open := b.options.Candidates[1].Open
	b.options.Candidates[1].Open = func(options datapath.Options) (datapath.Engine, error) {
		engine, err := open(options)
		for _, port := range []uint16{80, 81} {
			b.engines["ipvs"].failures = append(b.engines["ipvs"].failures, datapath.Failure{Service: keyAt(port), Reason: "no memory", OfEngine: true})
		}
		return engine, err
	}
	mustSet(t, b, config(1, twoBySession))
	fake := b.handOff(t)
	other := config(2, twoBySession, func(role *agentv1.BalancerRole) { role.Engine = "ipvs" })
	if _, err := b.Set(t.Context(), desired(t, other)); err == nil {
		t.Fatal("the engine didn't fail")
	}
	if want := netip.MustParseAddrPort("192.0.2.1:80"); fake.removed || len(fake.services) != 1 || fake.services[0].address != want {
		t.Errorf("removed %t, handed off %v", fake.removed, fake.services)
	}
}

func TestARoleThatIsOffRemovesTheHandOffOfAFormerProcess(t *testing.T) {
	b := newBench(t, t.TempDir(), "tcx")
	defer b.Close()
	removed := 0
	b.handoffs.removeFormer = func() error { removed++; return nil }
	mustSet(t, b, &agentv1.NodeConfig{Revision: 1})
	if removed != 1 {
		t.Errorf("removed %d times", removed)
	}
}

func TestTheProxyNeedsRoomForOneBackend(t *testing.T) {
	for fallbacks, want := range map[string]int{fallbackPlain: replica.BackendsMost, fallbackProxy: replica.BackendsMost - 1} {
		session := &Session{Backends: map[string]SessionBackend{"a": {}}, Fallbacks: []string{fallbacks}}
		p := &placing{engine: &fakeEngine{}}
		for used, fits := range map[int]bool{want - 1: true, want: false} {
			if got := !strings.HasPrefix(p.whyNotHere(&Service{Session: session}, used), "A replica places"); got != fits {
				t.Errorf("%s: one more than %d backends fits: %t", fallbacks, used, got)
			}
		}
	}
}
