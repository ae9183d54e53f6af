package balancer

import (
	"context"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/session/names"
	"fairlead.dev/agents/internal/session/replica"
)

// A backend that is gone or has no companion leaves its name, so that its clients are counted.
func TestNamesOfFormerBackendsStayAsLongAsTheirTickets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		name := func(address netip.Addr) names.Name { return names.Name{address.As4()[3]} }
		l := &learner{wake: func() {}, seen: map[datapath.Key]map[names.Name]time.Time{}, probe: func(_ context.Context, at netip.AddrPort, _ string) []names.Finding {
			return []names.Finding{{Kind: names.Stable, Names: []names.Name{name(at.Addr())}}}
		}}
		defer l.close()
		spec := desired(t, config(1, bySession(func(s *agentv1.BalancerService) { s.Session.TicketSeconds = 3600 })))
		service := &spec.Services[0]
		check := func(when string, backends map[string]SessionBackend, known map[string][]names.Name, former []names.Name) {
			t.Helper()
			gotKnown, gotFormer := l.of(service, backends, time.Now())
			if !reflect.DeepEqual(gotKnown, known) || len(gotFormer)+len(former) > 0 && !reflect.DeepEqual(gotFormer, former) {
				t.Errorf("%s: %v and former %v", when, gotKnown, gotFormer)
			}
		}
		both, onlyA := service.Session.Backends, map[string]SessionBackend{"a": service.Session.Backends["a"]}
		l.set(spec.Services)
		check("before a probe", both, map[string][]names.Name{}, nil)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		check("learned", both, map[string][]names.Name{"a": {{1}}, "b": {{2}}}, nil)
		check("without a companion", onlyA, map[string][]names.Name{"a": {{1}}}, []names.Name{{2}})
		service.Wanted.Backends = service.Wanted.Backends[:1]
		l.set(spec.Services)
		check("removed", onlyA, map[string][]names.Name{"a": {{1}}}, []names.Name{{2}})
		time.Sleep(59 * time.Minute)
		check("while tickets are valid", onlyA, map[string][]names.Name{"a": {{1}}}, []names.Name{{2}})
		time.Sleep(2 * time.Minute)
		check("after that", onlyA, map[string][]names.Name{"a": {{1}}}, nil)
		l.set(nil)
		if len(l.seen) > 0 {
			t.Errorf("names of a service without sessions: %v", l.seen)
		}
	})
}

func TestNamesFitIntoTheProgram(t *testing.T) {
	services := map[datapath.Key]replica.Service{}
	const each, namesEach = 40, 16
	for port := range uint16(40) {
		key := datapath.Key{Address: netip.MustParseAddr("192.0.2.1"), Port: port + 1, Protocol: datapath.TCP}
		service := replica.Service{Key: key, Former: make([][replica.NameBytes]byte, formerMost)}
		for range each {
			service.Backends = append(service.Backends, replica.Backend{Names: make([][replica.NameBytes]byte, namesEach)})
		}
		services[key] = service
	}
	count, former := 0, 0
	for _, service := range fitNames(services) {
		for _, b := range service.Backends {
			if len(b.Names) == 0 {
				t.Fatal("a backend has no name")
			}
			count += len(b.Names)
		}
		former += len(service.Former)
	}
	if count > replica.NamesMost || count < replica.NamesMost/2 || count+former > replica.NamesMost {
		t.Errorf("%d names and %d former ones, of %d", count, former, replica.NamesMost)
	}
	for _, service := range services {
		if len(service.Backends[0].Names) != namesEach {
			t.Fatal("the services themselves were changed")
		}
	}
}

// What a backend without a companion has stays; what is inactive stays inactive.
func TestOnlyBackendsWithACompanionTakeConnections(t *testing.T) {
	session := &Session{Backends: map[string]SessionBackend{"a": {}, "b": {}, "c": {}}}
	states := map[string]datapath.State{"a": datapath.Active, "b": datapath.Draining, "c": datapath.Filling, "d": datapath.Active, "e": datapath.Filling, "f": datapath.Inactive}
	want := map[string]datapath.State{"a": datapath.Active, "b": datapath.Draining, "c": datapath.Filling, "d": datapath.Draining, "e": datapath.Draining, "f": datapath.Inactive}
	before := datapath.Service{}
	for id, state := range states {
		before.Backends = append(before.Backends, datapath.Backend{ID: id, State: state, Up: true})
	}
	after := session.bySession(before)
	for i, b := range after.Backends {
		if b.State != want[b.ID] || before.Backends[i].State != states[b.ID] {
			t.Errorf("%s is %s, was %s", b.ID, b.State, before.Backends[i].State)
		}
		if takes := session.takes(b); takes != (b.ID == "a" || b.ID == "c") {
			t.Errorf("%s takes connections: %t", b.ID, takes)
		}
		if b.Up = false; session.takes(b) {
			t.Errorf("%s takes connections although it is down", b.ID)
		}
	}
}

func TestAProblemNamesWhatIsMissing(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*agentv1.BalancerService)
		want   string
	}{
		{"no companion", func(s *agentv1.BalancerService) {
			for _, b := range s.Backends {
				b.Session = nil
			}
		}, "start the agent of the role backend next to the servers"},
		{"all are down", func(*agentv1.BalancerService) {}, "is down, or takes no new connections: start the server"},
	} {
		spec := desired(t, config(1, bySession(c.change)))
		service := spec.Services[0].Wanted
		for i := range service.Backends {
			service.Backends[i].Up = false
		}
		if got := (&placing{}).whyNot(&spec.Services[0], &service, 0); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}
