package entry_test

import (
	"log/slog"
	"maps"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer"
	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/bpftest"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	"fairlead.dev/agents/internal/balancer/datapath/tcx"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// configOf is the config of the role balancer with the services of the lab.
func (l *lab) configOf(byCost bool) *agentv1.NodeConfig {
	role := &agentv1.BalancerRole{Engine: "tcx"}
	for _, s := range l.carried {
		service := &agentv1.BalancerService{
			LoadBalancerId: "lb_1", Address: s.Key.Address.String(), Port: uint32(s.Key.Port), Protocol: s.Key.Protocol.String(),
			Delivery: string(s.Delivery), ByCost: byCost,
		}
		for _, b := range s.Backends {
			service.Backends = append(service.Backends, &agentv1.BalancerBackend{
				Id: b.ID, Address: b.Address.String(), Port: uint32(b.Port), Weight: uint32(b.Weight), State: string(b.State),
			})
		}
		role.Services = append(role.Services, service)
	}
	return &agentv1.NodeConfig{Revision: 1, Balancer: role}
}

// setRole applies a config in the balancer's namespace.
func (l *lab) setRole(driver *balancer.Driver, config *agentv1.NodeConfig) {
	l.Helper()
	desired, err := balancer.ParseDesired(config)
	must(l, err)
	must(l, l.network.Balancers[0].Do(func() error {
		_, err := driver.Set(l.Context(), desired)
		return err
	}))
}

func (l *lab) newRole() *balancer.Driver {
	return balancer.NewDriver(balancer.Options{
		Candidates: []datapath.Candidate{tcx.Candidate}, StateFolder: l.state, Log: slog.New(slog.DiscardHandler),
		AdaptivePins: l.options.PinFolder,
		Engine: datapath.Options{
			Interface: datapathtest.Interface, Name: l.network.Balancers[0].Name, StateFolder: bpftest.StateFolder, Connections: 4096,
		},
	})
}

// The role balancer places connections by cost as its config says, also after a restart, and leaves no counts.
func TestTheRoleBalancerPlacesByCost(t *testing.T) {
	l := newNode(t, datapath.Direct)
	key := l.keys[0]
	l.price(0, 6*time.Millisecond, 6*time.Millisecond)
	first := l.newRole()
	l.setRole(first, l.configOf(true))
	before, at := l.hold(key, 6)
	must(t, first.Close())

	driver := l.newRole()
	t.Cleanup(func() { _ = driver.Close() })
	l.setRole(driver, l.configOf(true))
	after, more := l.hold(key, 6)
	for node, n := range more {
		at[node] += n
	}
	if !maps.Equal(at, least) {
		t.Errorf("connections went to %v, want %v", at, least)
	}
	l.countsBecome(key, least)
	if warning := l.warningOf(driver); warning != "" {
		t.Errorf("a warning: %s", warning)
	}
	l.setRole(driver, &agentv1.NodeConfig{Revision: 2})
	l.countsBecome(key, none)
	closeAll(before)
	closeAll(after)
}

// A config that changes while no agent runs leaves no counts either.
func TestTheRoleBalancerClearsWhatAFormerProcessCounted(t *testing.T) {
	l := newNode(t, datapath.Direct)
	key := l.keys[0]
	l.price(0, 6*time.Millisecond, 6*time.Millisecond)
	for _, next := range []*agentv1.NodeConfig{l.configOf(false), {Revision: 2, Balancer: &agentv1.BalancerRole{}}, {Revision: 2}} {
		former := l.newRole()
		l.setRole(former, l.configOf(true))
		conns, _ := l.hold(key, 12)
		l.countsBecome(key, least)
		must(t, former.Close())

		driver := l.newRole()
		l.setRole(driver, next)
		l.countsBecome(key, none)
		closeAll(conns)
		l.setRole(driver, &agentv1.NodeConfig{Revision: 3})
		must(t, driver.Close())
	}
}

// Without an agent of the role adaptive, the role reports that weights count.
func TestTheRoleBalancerReportsMissingCosts(t *testing.T) {
	l := newNode(t, datapath.Direct)
	driver := l.newRole()
	t.Cleanup(func() { _ = driver.Close() })
	must(t, l.costs.Remove())
	l.setRole(driver, l.configOf(true))
	if warning := l.warningOf(driver); !strings.Contains(warning, "no agent of the role adaptive") {
		t.Errorf("the warnings are %q", warning)
	}
	l.setRole(driver, l.configOf(false))
	if warning := l.warningOf(driver); warning != "" {
		t.Errorf("without services by cost, a warning: %s", warning)
	}
	l.setRole(driver, &agentv1.NodeConfig{Revision: 2})
	l.startCosts()
}

func (l *lab) warningOf(driver *balancer.Driver) (warnings string) {
	l.Helper()
	must(l, l.network.Balancers[0].Do(func() error {
		observed, err := driver.Observe(l.Context())
		warnings = strings.Join(observed.Warnings, " ")
		return err
	}))
	return warnings
}
