package entry_test

import (
	"maps"
	"net"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
)

// silence makes the host of a backend drop packets to the service addresses, as one that hangs does.
func (l *lab) silence(backend int) {
	l.Helper()
	links := l.network.Backends[backend].Space.Links()
	loopback, err := links.LinkByName("lo")
	must(l, err)
	for _, prefix := range []string{"192.0.2.0/24", "2001:db8::/64"} {
		_, to, err := net.ParseCIDR(prefix)
		must(l, err)
		must(l, links.RouteDel(&netlink.Route{
			Dst: to, LinkIndex: loopback.Attrs().Index, Type: unix.RTN_LOCAL, Table: unix.RT_TABLE_LOCAL, Scope: netlink.SCOPE_HOST,
		}))
	}
}

// othersAnswer waits until a connection goes to another backend than a, which always costs least.
func (l *lab) othersAnswer(key datapath.Key) {
	l.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); {
		if answer, err := (datapathtest.Client{Space: l.network.Client}).RequestOnce(key); err == nil {
			if answer.Backend == "a" {
				l.Fatal("a answers")
			}
			return
		}
	}
	l.Fatalf("%s: no other backend got a connection within %v", key, patience)
}

// A SYN that is repeated after a second shows that its backend doesn't answer. The next connections skip it.
func TestABackendThatDoesNotAnswerIsSkipped(t *testing.T) {
	l := newLab(t, datapath.Direct)
	l.silence(0)
	l.price(0, time.Hour, time.Hour)
	for _, key := range l.keys[:2] {
		var waiting sync.WaitGroup
		waiting.Go(func() {
			if _, err := (datapathtest.Client{Space: l.network.Client}).Connect(key); err == nil {
				t.Errorf("%s: a accepted a connection", key)
			}
		})
		l.othersAnswer(key)
		waiting.Wait()
		if l.failures(key, "a") == 0 {
			t.Errorf("%s: a has no failures", key)
		}
		l.reconciled(key)
	}
}

// A backend that rejects is skipped at once. Its resets pass the balancer only with NAT.
func TestABackendThatRejectsIsSkipped(t *testing.T) {
	l := newLab(t, datapath.NAT)
	const closed = 9
	for i := range l.carried {
		l.carried[i].Backends[0].Port = closed
		a := &l.decided[i].Backends[0]
		a.Address = netip.AddrPortFrom(a.Address.Addr(), closed)
	}
	l.set()
	l.decide()
	l.price(0, time.Hour, time.Hour)
	for _, key := range l.keys[:2] {
		if _, err := (datapathtest.Client{Space: l.network.Client}).Connect(key); err == nil {
			t.Fatalf("%s: a accepted a connection", key)
		}
		if got := l.failures(key, "a"); got != 1 {
			t.Errorf("%s: a has %d failures, want 1", key, got)
		}
		l.othersAnswer(key)
		l.countsBecome(key, none)
	}
}

// reconciled waits until nothing is open any more, with the help of Reconcile.
func (l *lab) reconciled(key datapath.Key) {
	l.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		_, err := l.entry.Reconcile()
		must(l, err)
		nodes, backends := l.counts(key)
		if maps.Equal(nodes, none) && maps.Equal(backends, none) {
			return
		}
		if time.Now().After(end) {
			l.Fatalf("%s: open connections are %v by node and %v by backend", key, nodes, backends)
		}
	}
}

// Connections that the engine has forgotten, because it had no room or nothing came for long, don't count.
func TestConnectionsThatTheEngineForgotAreEnded(t *testing.T) {
	for _, delivery := range []datapath.Delivery{datapath.Direct, datapath.NAT} {
		t.Run(string(delivery), func(t *testing.T) {
			l := newLab(t, delivery)
			l.price(0, 6*time.Millisecond, 6*time.Millisecond)
			key := l.keys[1]
			conns, _ := l.hold(key, 12)
			defer closeAll(conns)
			l.countsBecome(key, least)
			l.entry.Forget(t)
			l.reconciled(key)
			l.countsBecome(key, none)
		})
	}
}

// What the sockets of a node have open isn't all: reconciling them keeps what balancers of the node have placed.
func TestReconcilingSocketsKeepsConnectionsFromOutside(t *testing.T) {
	l := newLab(t, datapath.Direct)
	l.price(0, 6*time.Millisecond, 6*time.Millisecond)
	conns, _ := l.hold(l.keys[0], 12)
	defer closeAll(conns)
	if corrected, err := l.costs.Reconcile(); err != nil || corrected != 0 {
		t.Errorf("%d counts were corrected (%v), and all connections exist", corrected, err)
	}
	l.countsBecome(l.keys[0], least)
}

// The engine's own bar holds for its program, which is the larger one.
func TestTheVerifierIsQuick(t *testing.T) {
	l := newLab(t, datapath.NAT)
	for name, seen := range l.entry.Verified(t) {
		t.Logf("%s: %d instructions", name, seen)
		if seen == 0 || seen > 100_000 {
			t.Errorf("%s: the verifier looked at %d instructions, more than 100 000 or unknown", name, seen)
		}
	}
}
