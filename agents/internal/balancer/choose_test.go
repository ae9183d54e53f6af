package balancer

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

func TestAutoPicksTheFirstEngineThatCarriesAndReportsWhyNotTheOthers(t *testing.T) {
	b := newBench(t, t.TempDir(), "tcx", "ipvs", "userspace")
	defer b.Close()
	b.options.Candidates[0].Preflight = func(datapath.Options) error { return errors.New("this kernel has no TCX; it needs 6.6") }
	mustSet(t, b, config(1))
	observed, err := b.Observe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	status := observed.Status
	if status.GetEngine() != "ipvs" || len(status.GetRefused()) != 1 || status.GetRefused()[0].GetReason() != "This kernel has no TCX; it needs 6.6." ||
		!strings.Contains(status.GetEngineReason(), "Not available: tcx") {
		t.Fatalf("status %v", status)
	}
	if got := reasons(b); !slices.Equal(got, []string{EngineChosen}) {
		t.Fatalf("events %q", got)
	}
}

func TestAnEngineThatCannotCarryTheServicesIsPassedOver(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*agentv1.BalancerRole)
		want   string // engine and delivery
	}{
		{"nothing special", func(*agentv1.BalancerRole) {}, "tcx direct"},
		{"another port", service(func(s *agentv1.BalancerService) { s.Backends[0].Port = 8080 }), "tcx nat"},
		{"a scheduler", service(func(s *agentv1.BalancerService) { s.Scheduler = "wrr" }), "ipvs direct"},
		{"the PROXY protocol", service(func(s *agentv1.BalancerService) { s.ProxyProtocol = true }), "userspace proxy"},
		{"another family behind", service(func(s *agentv1.BalancerService) { s.Backends[0].Address = "fd00::2" }), "userspace proxy"},
		{"a tunnel", service(func(s *agentv1.BalancerService) { s.Delivery = "tunnel" }), "tcx tunnel"},
		{"a spec", engineOf("ipvs"), "ipvs direct"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := newBench(t, t.TempDir(), "tcx", "ipvs", "userspace")
			defer b.Close()
			mustSet(t, b, config(1, test.change))
			name := b.running.choice.Candidate.Name
			if got := name + " " + string(b.engines[name].services[0].Delivery); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestNoEngineIsOneClearErrorAndThePreviousSpecStays(t *testing.T) {
	b := newBench(t, t.TempDir(), "tcx", "userspace")
	defer b.Close()
	mustSet(t, b, config(1))
	_, err := b.Set(t.Context(), desired(t, config(2, service(func(s *agentv1.BalancerService) { s.Scheduler = "lc" }))))
	if err == nil || !strings.Contains(err.Error(), `tcx: It doesn't support the scheduler "lc" of service 192.0.2.1:80/tcp. userspace: It`) {
		t.Fatalf("err = %v", err)
	}
	if b.engines["tcx"].removed || len(b.engines["tcx"].services) != 1 {
		t.Fatal("the previous services are gone")
	}
	if got := reasons(b); !slices.Equal(got, []string{EngineChosen, ConfigRefused}) {
		t.Fatalf("events %q", got)
	}
}
