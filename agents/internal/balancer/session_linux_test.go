package balancer

import (
	"crypto/tls"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/session/replica"
)

func TestClientsReturnToTheirBackendByLearnedNames(t *testing.T) {
	l := newSessionLab(t, 0)
	l.start(t)
	l.learned(t, 3)
	l.observe(t) // the rates begin here
	first := l.driver.figures.sessions[l.key]
	newer := uint64(l.returns(t, tls.VersionTLS13, 6, 3)) // hellos of two packets, with post-quantum keys
	older := uint64(l.returns(t, tls.VersionTLS12, 6, 3))
	status, observed := l.observe(t)

	session := status.GetSession()
	if session.GetProblem() != "" || session.GetAddress() != "10.77.0.2:7447" || !status.GetReady() {
		t.Errorf("status %v", status)
	}
	for _, backend := range session.GetBackends() {
		name := backend.GetNames()[0]
		if !backend.GetTakes() || backend.GetMessage() != "" || string(name.GetName()) != "backend "+backend.GetId()+" 000000" || name.GetSeen().AsTime().Before(name.GetSince().AsTime()) {
			t.Errorf("backend %v", backend)
		}
	}
	counts := l.driver.figures.sessions[l.key].Since(first)
	if counts.SYNs < 4*(newer+older) {
		t.Errorf("%d SYNs", counts.SYNs)
	}
	counts.SYNs = 0 // some were repeated
	if want := (replica.ServiceCounts{ByKey: replica.Outcomes{Home: 3 * newer}, ByTicket: replica.Outcomes{Home: 3 * older}, WithoutSession: newer + older, Searched: replica.Searched{Absent: older}}); counts != want {
		t.Errorf("counted %+v, want %+v", counts, want)
	}
	reported := sessionSeries(observed)
	for _, name := range []string{"SynsPerSecond  ", "HellosPerSecond psk home", "HellosPerSecond ticket home", "HellosPerSecond new "} {
		if reported["session"+name] <= 0 {
			t.Errorf("%q is missing in %v", name, reported)
		}
	}
	returning, want := reported["sessionHellosPerSecond psk home"]/reported["sessionHellosPerSecond new "], float64(3*newer)/float64(newer+older)
	if len(reported) != 17 || returning < 0.99*want || returning > 1.01*want {
		t.Errorf("reported %v", reported)
	}
	if reasons := l.reasons(); !slices.Contains(reasons, TicketNameLearned) {
		t.Errorf("events %v", reasons)
	}
}

// sessionSeries returns the newest values, by metric, kind and outcome.
func sessionSeries(observed Observed) map[string]float64 {
	all := map[string]float64{}
	for _, series := range observed.Series {
		if strings.HasPrefix(series.GetMetric(), "session") && series.GetLabels()["loadBalancer"] == "lb_1" {
			all[fmt.Sprintf("%s %s %s", series.GetMetric(), series.GetLabels()["kind"], series.GetLabels()["outcome"])] = series.GetValues()[0]
		}
	}
	return all
}

func (l *sessionLab) reasons() (all []string) {
	_ = l.act(func() error {
		for _, event := range l.driver.news.Take() {
			all = append(all, event.GetReason())
		}
		return nil
	})
	return all
}

// The kernel continues while the agent is replaced, and the next one learns the names soon.
func TestARestartedAgentContinuesSessions(t *testing.T) {
	l := newSessionLab(t, 0)
	l.start(t)
	l.learned(t, 3)
	all := l.open(t, 8)
	config := client(tls.VersionTLS12) // whose hello has one packet, which needs no agent
	first, _ := l.visit(t, config)
	l.close(t)
	stay(t, "without an agent", all)
	for range 3 {
		if again, resumed := l.visit(t, config); again != first || !resumed {
			t.Fatalf("without an agent, a client of %s returned to %s, resumed: %t", first, again, resumed)
		}
	}
	began := time.Now()
	l.start(t)
	stay(t, "after a restart", all)
	l.learned(t, 3)
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("names were learned after %s", took)
	}
	if again, resumed := l.visit(t, config); again != first || !resumed {
		t.Errorf("after a restart, a client of %s returned to %s, resumed: %t", first, again, resumed)
	}
	l.returns(t, tls.VersionTLS13, 6, 2)
	stay(t, "after new sessions", all)
}

// backend returns a backend of the config.
func (l *sessionLab) backend(id string) *agentv1.BalancerBackend {
	backends := l.config.GetBalancer().GetServices()[0].GetBackends()
	return backends[slices.IndexFunc(backends, func(b *agentv1.BalancerBackend) bool { return b.GetId() == id })]
}

// A backend without a companion takes no new connection and keeps those that it has. Without any,
// the service is as any other, and it changes back and forth without breaking a connection.
func TestConnectionsOutliveTheChangeOfHowTheyArePlaced(t *testing.T) {
	l := newSessionLab(t, 0)
	sessions := map[string]*agentv1.SessionBackend{}
	change := func(ids ...string) {
		t.Helper()
		for _, host := range l.network.Backends {
			l.backend(host.Name).Session = nil
			if slices.Contains(ids, host.Name) {
				l.backend(host.Name).Session = sessions[host.Name]
			}
		}
		l.set(t)
	}
	for _, host := range l.network.Backends {
		sessions[host.Name] = l.backend(host.Name).Session
		l.backend(host.Name).Session = nil
	}
	l.start(t)
	plain := l.open(t, 10)
	if status, _ := l.observe(t); !strings.Contains(status.GetSession().GetProblem(), "role backend") || status.GetSession().GetAddress() != "10.77.0.2:7447" || !status.GetReady() {
		t.Errorf("without companions: %v", status)
	}

	change("a", "b", "c")
	l.learned(t, 3)
	stay(t, "by session, of before", plain)
	l.returns(t, tls.VersionTLS13, 6, 2)
	bySession := l.open(t, 10)

	change("a")
	stay(t, "with one companion", append(slices.Clone(plain), bySession...))
	for range 8 {
		if got, _ := l.visit(t, client(tls.VersionTLS13)); got != "a" {
			t.Fatalf("a new session went to %s, which has no companion", got)
		}
	}
	status, _ := l.observe(t)
	for _, backend := range status.GetSession().GetBackends() {
		if has := backend.GetId() == "a"; backend.GetTakes() != has || (backend.GetMessage() == "") != has {
			t.Errorf("with one companion: %v", backend)
		}
	}

	change()
	stay(t, "without companions", append(slices.Clone(plain), bySession...))
	backends := map[string]bool{}
	for n := 0; len(backends) < 2 && n < mostClients; n++ {
		got, _ := l.visit(t, client(tls.VersionTLS13))
		backends[got] = true
	}
	if len(backends) < 2 {
		t.Errorf("without companions, all of %d went to %v", mostClients, backends)
	}
	if l.driver.running.placing.placer != nil {
		t.Error("the program still runs")
	}

	change("a", "b", "c")
	l.learned(t, 3)
	stay(t, "by session again", append(slices.Clone(plain), bySession...))
	l.returns(t, tls.VersionTLS13, 6, 2)

	l.config.Balancer.Services[0].Session = nil
	for _, backend := range l.config.Balancer.Services[0].GetBackends() {
		backend.Session = nil
	}
	l.set(t)
	stay(t, "of another strategy", append(slices.Clone(plain), bySession...))
	if status, _ := l.observe(t); status.GetSession() != nil {
		t.Errorf("of another strategy: %v", status)
	}
}

// Health flows through: clients of a backend that is down go elsewhere, and return once it is up.
func TestClientsOfABackendThatIsDownGoElsewhere(t *testing.T) {
	l := newSessionLab(t, 0)
	l.start(t)
	l.learned(t, 3)
	config := client(tls.VersionTLS13)
	first, _ := l.visit(t, config)
	host := l.network.Backends[first[0]-'a']
	l.observe(t)
	if err := l.servers[first].Close(); err != nil {
		t.Fatal(err)
	}
	l.awaitTakes(t, first, false)
	if again, resumed := l.visit(t, config); again == first || !resumed {
		t.Errorf("a client of %s returned to %s, resumed: %t", first, again, resumed)
	}
	_, observed := l.observe(t)
	if gone := sessionSeries(observed)["sessionHellosPerSecond psk gone"]; gone == 0 {
		t.Errorf("not counted: %v", sessionSeries(observed))
	}
	l.servers[first] = serveTLS(t, host, l.certificate)
	l.awaitTakes(t, first, true)
}

func (l *sessionLab) awaitTakes(t *testing.T, id string, want bool) {
	t.Helper()
	for deadline := time.Now().Add(labPatience); ; time.Sleep(20 * time.Millisecond) {
		status, _ := l.observe(t)
		for _, backend := range status.GetSession().GetBackends() {
			if backend.GetId() == id && backend.GetTakes() == want {
				return
			}
		}
		if time.Now().After(deadline) {
			t.Fatalf("backend %s takes connections: not %t: %v", id, want, status)
		}
	}
}

// A backend that was removed is counted as gone, by its name.
func TestSessionsOfARemovedBackendAreCounted(t *testing.T) {
	l := newSessionLab(t, 0)
	l.start(t)
	l.learned(t, 3)
	config := client(tls.VersionTLS13)
	first, _ := l.visit(t, config)
	service := l.config.GetBalancer().GetServices()[0]
	service.Backends = slices.DeleteFunc(service.Backends, func(b *agentv1.BalancerBackend) bool { return b.GetId() == first })
	l.set(t)
	l.observe(t)
	if again, resumed := l.visit(t, config); again == first || !resumed {
		t.Errorf("a client of %s returned to %s, resumed: %t", first, again, resumed)
	}
	_, observed := l.observe(t)
	if gone := sessionSeries(observed)["sessionHellosPerSecond psk gone"]; gone == 0 {
		t.Errorf("not counted: %v", sessionSeries(observed))
	}
}

// The role is off for a moment, so nothing is known of connections any more. Without timestamps,
// their backends have to be queried, in the family of the service.
func TestConnectionsAreFoundAfterTheEngineWasRemoved(t *testing.T) {
	for family, address := range labAddresses {
		t.Run(address.String(), func(t *testing.T) {
			l := newSessionLab(t, family)
			l.network.Disown(t, 0) // otherwise the host resets connections meanwhile
			if err := l.network.Client.SetSysctl("net/ipv4/tcp_timestamps", "0"); err != nil {
				t.Fatal(err)
			}
			l.start(t)
			l.learned(t, 3)
			all := l.open(t, 6)
			role := l.config.GetBalancer()
			l.config.Balancer = nil
			l.set(t)
			l.config.Balancer = role
			l.set(t)
			status, _ := l.observe(t)
			if got := status.GetSession().GetAddress(); got != labReplicas[family].String() {
				t.Errorf("listens at %q", got)
			}
			stay(t, "after it was off", all)
			l.observe(t)
			if counts := l.driver.figures.sessions[l.key]; counts.Questions == 0 { // also of packets before the first report
				t.Errorf("no connection was searched: %+v", counts)
			}
			l.learned(t, 3)
			l.returns(t, tls.VersionTLS13, 6, 2)
		})
	}
}

// The port may be taken when the agent starts, as by the process before it. Names are learned once it is free.
func TestNamesAreLearnedOnceThePortIsFree(t *testing.T) {
	l := newSessionLab(t, 0)
	var taken *net.UDPConn
	if err := l.act(func() (err error) {
		taken, err = net.ListenUDP("udp", net.UDPAddrFromAddrPort(labReplicas[0]))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	l.start(t)
	if status, _ := l.observe(t); !status.GetReady() || !strings.Contains(status.GetSession().GetProblem(), "UDP port 7447 must be free") {
		t.Errorf("status %v", status)
	}
	_ = taken.Close()
	l.driver.pathsStale.Store(true) // as when an address changes
	l.driver.stir()
	l.learned(t, 3)
}
