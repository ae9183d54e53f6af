package balancer

import (
	"crypto/tls"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// mute drops what the companion of a backend sends to replicas; it returns what ends that.
func (l *sessionLab) mute(t *testing.T, backend string) (end func()) {
	t.Helper()
	space := l.network.Backends[backend[0]-'a'].Space
	run := func(rules string) {
		t.Helper()
		if output, err := space.Run(t.Context(), "nft", rules); err != nil {
			t.Fatalf("%v: %s", err, output)
		}
	}
	run(fmt.Sprintf("table inet mute { chain o { type filter hook output priority 0; udp dport %d drop; }; }", sessionPort))
	return func() { run("delete table inet mute") }
}

// page returns a page of the replica, and its status.
func (l *sessionLab) page(path string) (text string, status int) {
	recorder := httptest.NewRecorder()
	l.driver.Pages(nil)[path].ServeHTTP(recorder, httptest.NewRequest("GET", path, nil))
	return recorder.Body.String(), recorder.Code
}

// awaitReady returns how long the replica isn't ready yet.
func (l *sessionLab) awaitReady(t *testing.T) time.Duration {
	t.Helper()
	began := time.Now()
	for {
		text, status := l.page("/readyz")
		if status == 200 {
			return time.Since(began)
		}
		if time.Since(began) > labPatience {
			t.Fatalf("not ready: %s", text)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// Routers must not send clients of TLS 1.2 sessions to a replica that would place them as new ones.
func TestAReplicaIsReadyOnceCompanionsHaveSentTheirSessionIDs(t *testing.T) {
	l := newSessionLab(t, 0)
	end := l.mute(t, "b")
	l.start(t)
	time.Sleep(time.Second) // the others have sent theirs
	const want = "still receives the TLS session ids of backend b"
	for _, path := range []string{"/readyz", "/addresses"} {
		if text, status := l.page(path); status != 503 || !strings.Contains(text, want) {
			t.Errorf("%s: %d, %s", path, status, text)
		}
	}
	if status, _ := l.observe(t); status.GetReady() || !strings.Contains(status.GetMessage(), want) {
		t.Errorf("status %v", status)
	}
	end()
	if took := l.awaitReady(t); took > 2*time.Second { // they are requested again at once
		t.Errorf("ready only %s after the companion could send", took)
	}
	if text, _ := l.page("/addresses"); text != l.key.Address.String()+"\n" {
		t.Errorf("addresses: %s", text)
	}
	if status, _ := l.observe(t); !status.GetReady() {
		t.Errorf("status %v", status)
	}
	if strings.Contains(l.log.String(), SessionIDsMissing) {
		t.Error("an event of missing session ids, although none are")
	}
}

func TestAReplicaIsReadyWithoutTheSessionIDsOfASilentCompanionAfterAWhile(t *testing.T) {
	l := newSessionLab(t, 0)
	defer l.mute(t, "c")()
	l.start(t)
	if took := l.awaitReady(t); took < idsWithin-time.Second || took > idsWithin+3*time.Second {
		t.Errorf("ready after %s", took)
	}
	for deadline := time.Now().Add(labPatience); ; time.Sleep(20 * time.Millisecond) {
		if log := l.log.String(); strings.Contains(log, SessionIDsMissing) && strings.Contains(log, "session ids of backend c, which") {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("no event names the backend")
		}
	}

	l.set(t) // each withdrawal and return moves connections of all clients
	if text, status := l.page("/readyz"); status != 200 {
		t.Errorf("not ready any more: %s", text)
	}
	l.learned(t, 3)
	l.returns(t, tls.VersionTLS13, 6, 2)
}

// An address that routers use stays while the service changes to sessions, and while another one is added whose
// companions are silent.
func TestOnlyTheAddressOfANewServiceWaitsForSessionIDs(t *testing.T) {
	l := newSessionLab(t, 0)
	role := l.config.GetBalancer()
	plain, bySession := proto.CloneOf(role.GetServices()[0]), role.GetServices()[0]
	plain.Session = nil
	for _, backend := range plain.Backends {
		backend.Session = nil
	}
	role.Services[0] = plain
	l.start(t)
	l.awaitReady(t)
	first, other := l.key.Address.String()+"\n", proto.CloneOf(bySession)
	other.LoadBalancerId, other.ExposureId, other.Address = "lb_2", "exp_2", "192.0.2.2"
	defer l.mute(t, "a")()
	for _, services := range [][]*agentv1.BalancerService{{bySession}, {bySession, other}} {
		role.Services = services
		l.set(t)
		for _, path := range []string{"/addresses", "/readyz"} {
			if text, status := l.page(path); status != 200 || path == "/addresses" && text != first {
				t.Errorf("%d services, %s: %d, %s", len(services), path, status, text)
			}
		}
	}
	for deadline := time.Now().Add(idsWithin + labPatience); ; time.Sleep(20 * time.Millisecond) {
		text, _ := l.page("/addresses")
		if text == first+"192.0.2.2\n" {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the new service is never advertised: %s", text)
		}
	}
}
