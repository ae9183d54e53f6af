package balancer

import (
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

func at(address string) func(*agentv1.BalancerRole) {
	return service(func(s *agentv1.BalancerService) { s.Address, s.HealthCheck = address, nil })
}

// Routers keep sending packets for a moment.
func TestARemovedServiceIsStillCarriedForAMoment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, t.TempDir(), "tcx")
		defer b.Close()
		b.options.Linger = 2 * time.Second
		mustSet(t, b, config(1, at("192.0.2.1")))
		expect := func(when, carried, advertised string) {
			t.Helper()
			var addresses []string
			for _, service := range b.engines["tcx"].services {
				addresses = append(addresses, service.Key.Address.String())
			}
			if got := strings.Join(addresses, " "); got != carried {
				t.Errorf("%s: the engine carries %q, want %q", when, got, carried)
			}
			if got := pageOfAddresses(b); got != advertised {
				t.Errorf("%s: addresses for routers are %q, want %q", when, got, advertised)
			}
		}
		expect("at first", "192.0.2.1", "192.0.2.1")
		mustSet(t, b, config(2, at("192.0.2.2")))
		expect("left out", "192.0.2.1 192.0.2.2", "192.0.2.2")
		time.Sleep(time.Second)
		mustSet(t, b, config(3, at("192.0.2.2"))) // a config in between doesn't extend the time
		expect("a second later", "192.0.2.1 192.0.2.2", "192.0.2.2")
		time.Sleep(time.Second)
		synctest.Wait()
		if _, err := b.Woken(t.Context()); err != nil {
			t.Fatal(err)
		}
		expect("after its time", "192.0.2.2", "192.0.2.2")

		mustSet(t, b, config(4, at("192.0.2.1")))
		mustSet(t, b, config(5, at("192.0.2.2")))
		expect("wanted again", "192.0.2.1 192.0.2.2", "192.0.2.2")
		b.engines["tcx"].room = 1
		mustSet(t, b, config(6, at("192.0.2.3")))
		expect("rejected with what leaves", "192.0.2.3", "192.0.2.3")
	})
}

func pageOfAddresses(b *bench) string {
	answer := httptest.NewRecorder()
	b.serveAddresses(answer, httptest.NewRequest("GET", "/addresses", nil))
	if answer.Code != 200 {
		return answer.Result().Status
	}
	return strings.Join(strings.Fields(answer.Body.String()), " ")
}

func TestAReplicaThatIsNotReadyListsNoAddresses(t *testing.T) {
	b := newBench(t, t.TempDir(), "tcx")
	defer b.Close()
	if got := pageOfAddresses(b); got != "503 Service Unavailable" {
		t.Errorf("before a config: %q", got)
	}
}
