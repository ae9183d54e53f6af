package balancer

import (
	"crypto/tls"
	"fmt"
	"strings"
	"testing"
	"time"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// mixedLab has a backend that takes connections by session, and two that can't: b lacks a companion, and c also
// listens with MPTCP.
func mixedLab(t *testing.T, family int, delivery string) (l *sessionLab, restore func(*testing.T)) {
	t.Helper()
	l = newSessionLab(t, family)
	l.serveMixed(t)
	for _, host := range l.network.Backends[1:] {
		if err := l.companions[host.Name].Close(); err != nil {
			t.Fatal(err)
		}
	}
	service := l.config.GetBalancer().GetServices()[0]
	service.Session.Fallbacks, service.Delivery = []string{"proxy", "plain"}, delivery
	lacking := map[string]*agentv1.SessionBackend{}
	for _, id := range []string{"b", "c"} {
		lacking[id], l.backend(id).Session = l.backend(id).GetSession(), nil
	}
	return l, func(t *testing.T) { // b gets its companion
		t.Helper()
		l.accompany(t, l.network.Backends[1])
		l.backend("b").Session = lacking["b"]
		l.set(t)
	}
}

// startReady starts the driver, and waits until it has the session ids of companions.
func (l *sessionLab) startReady(t *testing.T) {
	t.Helper()
	l.start(t)
	for deadline := time.Now().Add(labPatience); ; time.Sleep(20 * time.Millisecond) {
		if status, _ := l.observe(t); status.GetReady() {
			return
		} else if time.Now().After(deadline) {
			t.Fatalf("not ready: %v", status)
		}
	}
}

// passForBackends lets this time pass for what backends wait for.
func (l *sessionLab) passForBackends(t *testing.T, span time.Duration) {
	t.Helper()
	if err := l.act(func() error {
		for _, one := range l.driver.running.placing.fallbacks[l.key].backends {
			for _, at := range []*time.Time{&one.lacking, &one.taking, &one.retries} {
				if !at.IsZero() {
					*at = at.Add(-span)
				}
			}
		}
		l.driver.healthStale.Store(true)
		_, err := l.driver.Woken(t.Context())
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// wantLacking checks what is reported about a backend that can't take connections by session; "" if it can.
func (l *sessionLab) wantLacking(t *testing.T, id, message string) {
	t.Helper()
	l.wantFallback(t, "", "")
	l.eventually(t, func(status *agentv1.BalancerServiceStatus) string {
		for _, one := range status.GetSession().GetBackends() {
			if one.GetId() == id && (one.GetTakes() != (message == "") || !strings.Contains(one.GetMessage(), message)) {
				return fmt.Sprintf("%s takes connections: %t, because %q", id, one.GetTakes(), one.GetMessage())
			}
		}
		return ""
	})
}

// reached returns how many of these new clients each backend got.
func (l *sessionLab) reached(t *testing.T, clients int) map[string]int {
	t.Helper()
	all := map[string]int{}
	for range clients {
		backend, _ := l.visit(t, client(tls.VersionTLS13))
		all[backend]++
	}
	return all
}

// goTo opens connections until one reached this backend.
func (l *sessionLab) goTo(t *testing.T, backend string) *lasting {
	t.Helper()
	for range mostClients {
		if one := l.open(t, 1)[0]; one.backend == backend {
			return one
		}
	}
	t.Fatalf("none of %d clients reached %s", mostClients, backend)
	return nil
}
