package balancer

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/session/replica"
)

// withoutCompanions removes the companions from the config, and returns what puts them back.
func (l *sessionLab) withoutCompanions() (restore func()) {
	all := map[string]*agentv1.SessionBackend{}
	for _, b := range l.config.GetBalancer().GetServices()[0].GetBackends() {
		all[b.GetId()], b.Session = b.GetSession(), nil
	}
	return func() {
		for id, session := range all {
			l.backend(id).Session = session
		}
	}
}

// pass lets this time pass for what the fallback waits for.
func (l *sessionLab) pass(t *testing.T, span time.Duration) {
	t.Helper()
	if err := l.act(func() error {
		one := l.driver.running.placing.fallbacks[l.key]
		for _, at := range []*time.Time{&one.lacking, &one.taking} {
			if !at.IsZero() {
				*at = at.Add(-span)
			}
		}
		l.driver.healthStale.Store(true)
		_, err := l.driver.Woken(t.Context())
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

func (l *sessionLab) wantFallback(t *testing.T, want, problem string) {
	t.Helper()
	l.eventually(t, func(status *agentv1.BalancerServiceStatus) string {
		session := status.GetSession()
		if session.GetFallback() == want && strings.Contains(session.GetProblem(), problem) && status.GetReady() {
			return ""
		}
		return fmt.Sprintf("the fallback is %q, want %q because %q", session.GetFallback(), want, problem)
	})
}

// eventually waits until a status has nothing that is wrong. A backend may be down for a moment on a busy machine.
func (l *sessionLab) eventually(t *testing.T, wrong func(*agentv1.BalancerServiceStatus) string) {
	t.Helper()
	for deadline := time.Now().Add(labPatience); ; time.Sleep(20 * time.Millisecond) {
		status, _ := l.observe(t)
		if what := wrong(status); what == "" {
			return
		} else if time.Now().After(deadline) {
			t.Fatalf("%s: %v", what, status)
		}
	}
}

// serveMixed replaces the servers by nginx, and by one that listens with MPTCP.
func (l *sessionLab) serveMixed(t *testing.T) {
	t.Helper()
	for _, host := range l.network.Backends[:2] {
		l.serveNginx(t, host)
	}
	last := l.network.Backends[2]
	if err := l.servers[last.Name].Close(); err != nil {
		t.Fatal(err)
	}
	l.servers[last.Name] = serveTLSWith(t, last, l.certificate, true)
}

// takePort listens where the proxy would.
func (l *sessionLab) takePort(t *testing.T) (taken net.Listener) {
	t.Helper()
	if err := l.act(func() (err error) {
		taken, err = (&net.ListenConfig{}).Listen(context.Background(), "tcp", fmt.Sprintf("0.0.0.0:%d", labPort))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = taken.Close() })
	return taken
}

// proxyLab has servers of which none can take connections by hand-off.
func proxyLab(t *testing.T, family int) (l *sessionLab, restore func()) {
	t.Helper()
	l = newSessionLab(t, family)
	l.serveMixed(t)
	l.config.GetBalancer().GetServices()[0].Session.Fallbacks = []string{"proxy", "plain"}
	restore = l.withoutCompanions()
	return l, restore
}

func TestClientsReturnByTheProxyWhileNoBackendTakesThem(t *testing.T) {
	for family, address := range labAddresses {
		t.Run(address.String(), func(t *testing.T) {
			l, _ := proxyLab(t, family)
			l.start(t)
			l.wantFallback(t, "plain", "If that lasts for 30 seconds, a proxy carries them")
			plain := l.open(t, 4)
			l.pass(t, proxyFirstAfter-10*time.Second)
			l.wantFallback(t, "plain", "role backend")
			stay(t, "before the proxy", plain)
			l.pass(t, 10*time.Second)
			l.wantFallback(t, "proxy", "role backend")
			l.learned(t, 3)
			l.observe(t) // the rates begin here
			before := l.driver.figures.sessions[l.key]
			const times = 3
			byKey := l.returns(t, tls.VersionTLS13, 6, times) // hellos of two packets, with post-quantum keys
			byTicket := l.returns(t, tls.VersionTLS12, 6, times)
			_, observed := l.observe(t)
			counts := l.driver.figures.sessions[l.key].Since(before)
			want := replica.ServiceCounts{
				ByKey: replica.Outcomes{Home: uint64(times * byKey)}, ByTicket: replica.Outcomes{Home: uint64(times * byTicket)}, WithoutSession: uint64(byKey + byTicket),
			}
			if counts != want {
				t.Errorf("counted %+v, want %+v", counts, want)
			}
			if rate := sessionSeries(observed)["sessionHellosPerSecond psk home"]; rate <= 0 {
				t.Errorf("reported %v", sessionSeries(observed))
			}
			for range 4 {
				l.returnsByID(t)
			}
		})
	}
}

var (
	reusedSession = regexp.MustCompile(`(?m)^Reused, `)
	answeredBy    = regexp.MustCompile(`(?m)^([abc])(closed)?\r?$`)
)

// returnsByID lets a client of TLS 1.2 return that has no ticket. Go's client can't.
func (l *sessionLab) returnsByID(t *testing.T) { l.returnsByIDWithin(t, 0) }

// returnsByIDWithin lets it return twice, after this time at most: a replica gets ids of companions a moment later.
func (l *sessionLab) returnsByIDWithin(t *testing.T, span time.Duration) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "session")
	at := net.JoinHostPort(l.key.Address.String(), fmt.Sprint(labPort))
	visit := func(session string) (string, bool) {
		script := fmt.Sprintf(`printf 'GET / HTTP/1.0\r\n\r\n' | timeout 20 openssl s_client -connect %s -tls1_2 -no_ticket -servername session.test -ign_eof -sess_%s %s 2>&1`, at, session, file)
		output, err := l.network.Client.Run(t.Context(), "sh", "-c", script)
		found := answeredBy.FindStringSubmatch(output)
		if err != nil || found == nil {
			t.Fatalf("%v: %s", err, output)
		}
		return found[1], reusedSession.MatchString(output)
	}
	for range 10 { // Go's server gives no ids, so the client isn't one of its
		if first, _ := visit("out"); first != "c" {
			for until, returned := time.Now().Add(span), 0; returned < 2; {
				again, resumed := visit("in")
				if again == first && resumed {
					returned++
				} else if returned > 0 || time.Now().After(until) {
					t.Fatalf("a client of %s returned to %s by its id, resumed: %t", first, again, resumed)
				}
			}
			return
		}
	}
	t.Fatal("all clients went to c")
}

// The proxy ends only after backends have taken connections for a while, and an agent that restarts continues with it.
func TestTheProxyEndsOnceBackendsTakeConnections(t *testing.T) {
	l, restore := proxyLab(t, 0)
	l.start(t)
	l.pass(t, proxyFirstAfter)
	l.wantFallback(t, "proxy", "")
	l.learned(t, 3)

	l.restart(t)
	l.wantFallback(t, "proxy", "role backend")
	l.learned(t, 3)
	l.returns(t, tls.VersionTLS13, 4, 2)
	proxied := l.open(t, 6)

	restore()
	last := l.network.Backends[2]
	if err := l.servers[last.Name].Close(); err != nil {
		t.Fatal(err)
	}
	l.servers[last.Name] = serveTLS(t, last, l.certificate) // without MPTCP, so it can take them too
	l.set(t)
	l.wantFallback(t, "proxy", "takes connections by TLS session again")
	stay(t, "while the proxy continues", slices.DeleteFunc(proxied, func(one *lasting) bool { return one.backend == last.Name }))
	l.pass(t, proxyEndsAfter)
	l.wantFallback(t, "", "")
	if l.driver.proxy.engine != nil {
		t.Error("the proxy still runs")
	}
	l.learned(t, 3)
	l.returns(t, tls.VersionTLS13, 6, 2)
	bySession := l.open(t, 6)

	l.withoutCompanions()
	l.set(t)
	l.wantFallback(t, "plain", "15 minutes")
	stay(t, "as the fallback waits", bySession)
	l.pass(t, proxyAfter)
	l.wantFallback(t, "proxy", "")
	l.learned(t, 3)
	l.returns(t, tls.VersionTLS12, 6, 2)
	if got, err := l.driver.formers(); err != nil || !slices.Contains(got, proxyEngine) {
		t.Errorf("recorded engines: %v, %v", got, err)
	}
}

// Another process has the port, so the next fallback is used.
func TestPlainLayer4FollowsIfTheProxyCantListen(t *testing.T) {
	l, _ := proxyLab(t, 0)
	l.takePort(t)
	l.start(t)
	all := l.open(t, 4)
	l.pass(t, proxyFirstAfter)
	l.wantFallback(t, "plain", "The proxy can't carry them: ")
	stay(t, "after the proxy failed", all)
	if again := l.open(t, 4); len(again) != 4 {
		t.Errorf("%d connections", len(again))
	}
}

// With a delivery that changes packets, no backend can check cookies.
func TestADeliveryByProxyIsPlacedBySessionAtOnce(t *testing.T) {
	l, restore := proxyLab(t, 0)
	restore()
	l.config.GetBalancer().GetServices()[0].Delivery = "proxy"
	l.start(t)
	l.wantFallback(t, "proxy", "changes packets")
	l.learned(t, 3)
	l.returns(t, tls.VersionTLS13, 6, 2)
}

// New clients stop at once, those of a backend's sessions later, and connections stay.
func TestADrainingBackendGetsItsClientsUntilTheirTimeIsOver(t *testing.T) {
	for _, by := range []string{"", "proxy"} {
		t.Run("by "+by, func(t *testing.T) {
			l, restore := proxyLab(t, 0)
			l.serveNginx(t, l.network.Backends[2])
			if by == "" {
				restore()
			}
			l.start(t)
			if by == "proxy" {
				l.pass(t, proxyFirstAfter)
			}
			l.wantFallback(t, by, "")
			l.learned(t, 3)
			returning := client(tls.VersionTLS13)
			first, _ := l.visit(t, returning)
			existing, err := l.connect(returning)
			if err != nil || existing.backend != first {
				t.Fatalf("a connection to %v, %v", existing, err)
			}
			defer existing.Close()

			l.backend(first).State, l.backend(first).Returns = "draining", true
			l.set(t)
			for range 4 {
				if again, resumed := l.visit(t, returning); again != first || !resumed {
					t.Fatalf("in its time, a client of %s returned to %s, resumed: %t", first, again, resumed)
				}
			}
			for range 12 {
				if got, _ := l.visit(t, client(tls.VersionTLS13)); got == first {
					t.Fatalf("a new client went to %s, which drains", first)
				}
			}
			l.backend(first).Returns = false
			l.set(t)
			again, resumed := l.visit(t, returning)
			if again == first || !resumed {
				t.Fatalf("after its time, a client of %s returned to %s, resumed: %t", first, again, resumed)
			}
			stay(t, "after the time of sessions", []*lasting{existing})
		})
	}
}
