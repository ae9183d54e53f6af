package session_test

import (
	"crypto/tls"
	"testing"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// change changes a backend of all services at both its places, and sets them.
func (l *lab) change(t *testing.T, id string, change func(*datapath.Backend), resumes bool) {
	t.Helper()
	for i := range l.services {
		for j := range l.services[i].Backends {
			if b := &l.services[i].Backends[j]; b.ID == id {
				change(b)
				l.sessions[i].Backends[j].Resumes = resumes
			}
		}
	}
	l.set(t, 0)
}

func TestABackendIsDrainedInSteps(t *testing.T) {
	l := newLab(t, datapath.Direct, nginx)
	config := client(tls.VersionTLS13)
	first, _, err := l.visit(0, config)
	must(t, err)
	all := append(l.last(t, 0, 10), l.last(t, 1, 10)...)

	l.change(t, first, func(b *datapath.Backend) { b.State = datapath.Draining }, true)
	for range 3 {
		if again, resumed, err := l.visit(0, config); err != nil || again != first || !resumed {
			t.Fatalf("while it drains, a client of %s returned to %s, resumed: %t, %v", first, again, resumed, err)
		}
	}
	for range 10 {
		if got, _, err := l.visit(0, client(tls.VersionTLS13)); err != nil || got == first {
			t.Fatalf("a new session went to %s, which drains: %v", got, err)
		}
	}
	l.stay(t, all)

	l.change(t, first, func(*datapath.Backend) {}, false)
	for range 3 {
		if again, resumed, err := l.visit(0, config); err != nil || again == first || !resumed {
			t.Fatalf("after it left, a client of %s returned to %s, resumed: %t, %v", first, again, resumed, err)
		}
	}
	l.stay(t, all)

	l.change(t, first, func(b *datapath.Backend) { b.State = datapath.Inactive }, false)
	for _, one := range all {
		if one.backend != first {
			l.stay(t, []*lasting{one})
		}
	}
	l.change(t, first, func(b *datapath.Backend) { b.State = datapath.Active }, true)
	l.returns(t, 0, tls.VersionTLS13, 12, 2)
}

// A backend that is down gets no session of its own: any other can continue it.
func TestSessionsOfABackendThatIsDownGoElsewhere(t *testing.T) {
	l := newLab(t, datapath.Direct, nginx)
	config := client(tls.VersionTLS13)
	first, _, err := l.visit(0, config)
	must(t, err)
	l.change(t, first, func(b *datapath.Backend) { b.Up = false }, true)
	if again, resumed, err := l.visit(0, config); err != nil || again == first || !resumed {
		t.Errorf("a client of %s returned to %s, resumed: %t, %v", first, again, resumed, err)
	}
}

// The keys change while clients are connected.
func TestKeysChange(t *testing.T) {
	l := newLab(t, datapath.Direct, nginx)
	all := l.last(t, 0, 6)
	conn, err := l.network.Client.Dial(t.Context(), "tcp", at(0))
	must(t, err)
	defer conn.Close()
	l.keys.Previous, l.keys.Current = l.keys.Current, derive(t, "the next key of a cluster")
	for i := range l.sessions {
		l.sessions[i].Keys = l.keys
	}
	for name := range l.companions {
		must(t, l.companions[name].Set(l.accompanied(name)))
	}
	l.set(t, 0)
	if _, _, err := request(conn, client(tls.VersionTLS13)); err != nil {
		t.Errorf("a client that got a cookie of the previous key: %v", err)
	}
	l.failOver(t)
	l.stay(t, all)
	l.returns(t, 0, tls.VersionTLS13, 8, 2)
}

// SYNs from many addresses leave nothing behind, and clients get through meanwhile.
func TestAFloodLeavesNoState(t *testing.T) {
	l := newLab(t, datapath.Direct, nginx)
	before := l.entries(t)
	const floods, each = 20, 1000
	for n := range floods {
		l.flood(t, n*each, each)
		if n%5 == 0 {
			config := client(tls.VersionTLS13)
			first, _, err := l.visit(0, config)
			must(t, err)
			if again, resumed, err := l.visit(0, config); err != nil || again != first || !resumed {
				t.Errorf("a client of %s returned to %s, resumed: %t, %v", first, again, resumed, err)
			}
		}
	}
	counts, err := l.balancers[0].replica.Observe()
	if err != nil || counts.SYNs < floods*each/2 {
		t.Errorf("the flood didn't arrive: %+v, %v", counts, err)
	}
	const visits = 8
	if after := l.entries(t); after > before+2*visits {
		t.Errorf("%d entries before, %d after", before, after)
	}
}

// entries counts what the replica stores of connections.
func (l *lab) entries(t *testing.T) (all int) {
	t.Helper()
	for _, name := range []string{program.TcxMapConnections, program.TcxMapHalfOpen, program.TcxMapLearnt, program.TcxMapSteeredFlows} {
		all += count(t, l.balancers[0].engine.Joint().Maps[name])
	}
	return all
}

func count(t *testing.T, m *ebpf.Map) (all int) {
	t.Helper()
	key, value := make([]byte, m.KeySize()), make([]byte, m.ValueSize())
	iterator := m.Iterate()
	for iterator.Next(key, value) {
		all++
	}
	must(t, iterator.Err())
	return all
}
