package datapathtest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
)

func changesOnce(t *testing.T, tr *trial) {
	p := tr.open(t)
	set(t, p, false)
	set(t, p, true, tr.all()...)
	set(t, p, false, tr.all()...)
	down := with("b", func(b *datapath.Backend) { b.Up = false })
	set(t, p, true, tr.all(down)...)
	set(t, p, false, tr.all(down)...)
	set(t, p, true)
	set(t, p, false)
}

// changesUnderTraffic moves a backend through all its states, while other services are
// added and removed and clients send requests all the time.
func changesUnderTraffic(t *testing.T, tr *trial) {
	p := tr.open(t)
	set(t, p, true, tr.all(without("c"))...)
	var streams []*Traffic
	for _, service := range tr.all() {
		streams = append(streams, tr.client().Start(t, service.Key, 4))
	}
	other := elsewhere(tr.service(ipv4, datapath.TCP))
	for _, step := range []struct {
		name     string
		services []datapath.Service
	}{
		{"another service", inOrder(append(tr.all(without("c")), other))},
		{"a backend fills", inOrder(append(tr.all(in("c", datapath.Filling)), other))},
		{"it is active", inOrder(append(tr.all(), other))},
		{"weights change", inOrder(append(tr.all(with("a", func(b *datapath.Backend) { b.Weight = 7 })), other))},
		{"the other service is removed", tr.all()},
		{"it drains", tr.all(in("c", datapath.Draining))},
		{"it is inactive", tr.all(in("c", datapath.Inactive))},
		{"it is removed", tr.all(without("c"))},
	} {
		if !t.Run(step.name, func(t *testing.T) {
			put(t, p, step.services...)
			for _, traffic := range streams {
				traffic.More(t, 5)
			}
		}) {
			return
		}
	}
	for _, traffic := range streams {
		traffic.Stop(t)
	}
}

func repairs(t *testing.T, tr *trial) {
	if len(tr.subject.Damages) == 0 {
		t.Fatal("the subject has no damage: add a way to break the engine's state manually")
	}
	for _, damage := range tr.subject.Damages {
		t.Run(damage.Name, func(t *testing.T) {
			p := tr.open(t)
			set(t, p, true, tr.all()...)
			must(t, tr.network.Balancers[0].Do(func() error { return damage.Do(p.Options) }))
			set(t, p, true, tr.all()...)
			for _, service := range tr.all() {
				tr.connectTo(t, service, "a", "b", "c")
			}
			set(t, p, false, tr.all()...)
		})
	}
}

func rejectsInvalid(t *testing.T, tr *trial) {
	p := tr.open(t)
	good := tr.all()
	set(t, p, true, good...)
	traffic := tr.client().Start(t, good[0].Key, 2)
	for _, c := range []struct {
		name  string
		spoil func(*datapath.Service)
		wants string
	}{
		{"unknown delivery", func(s *datapath.Service) { s.Delivery = "pigeon" }, "pigeon"},
		{"other family", func(s *datapath.Service) { s.Backends[0].Address = tr.network.Backends[0].IPv6 }, "family"},
		{"port 0", func(s *datapath.Service) { s.Backends[0].Port = 0 }, "port"},
		{"weight 0", func(s *datapath.Service) { s.Backends[0].Weight = 0 }, "weight"},
		{"unknown state", func(s *datapath.Service) { s.Backends[0].State = "tired" }, "tired"},
		{"backend twice", func(s *datapath.Service) { s.Backends[1].ID = s.Backends[0].ID }, "twice"},
		{"unknown protocol", func(s *datapath.Service) { s.Key.Protocol = 132 }, "132"},
		{"another port", func(s *datapath.Service) { s.Backends[0].Port = s.Key.Port + 1 }, "port"},
		{"PROXY protocol", func(s *datapath.Service) { s.ProxyProtocol = true }, "PROXY"},
	} {
		switch { // cases that are valid with some deliveries
		case c.name == "another port" && (tr.delivery == datapath.NAT || tr.delivery == datapath.Proxy),
			c.name == "PROXY protocol" && tr.delivery == datapath.Proxy,
			c.name == "other family" && tr.delivery == datapath.Proxy:
			continue
		}
		want := tr.all(without("b"))
		bad := want[0]
		bad.Backends = slices.Clone(bad.Backends)
		c.spoil(&bad)
		want[0] = good[0]
		services, previous := append(slices.Clone(want[1:]), bad), bad.Key == good[0].Key
		if !previous {
			services = append(services, good[0])
		}
		outcome, err := p.SetPartly(inOrder(services)...)
		must(t, err)
		if len(outcome.Failures) != 1 || !strings.Contains(outcome.Failures[0].String(), c.wants) {
			t.Fatalf("%s: failures %q are not one that names %q", c.name, outcome.Failures, c.wants)
		}
		if failure := outcome.Failures[0]; failure.Service != bad.Key || failure.Backend != "" || failure.Previous != previous {
			t.Errorf("%s: failure %+v", c.name, failure)
		}
		shows(t, p, want)
		traffic.More(t, 2)
		tr.avoids(t, want[len(want)-1], "b")
		put(t, p, good...)
	}
	traffic.Stop(t)
	set(t, p, false, good...)
	shows(t, p, good)
}

// shows requires that services and backends are observed as set.
func shows(t *testing.T, p *Process, services []datapath.Service) datapath.Observed {
	t.Helper()
	observed, err := p.Observe()
	must(t, err)
	var want, have []string
	for _, service := range services {
		for _, backend := range service.Backends {
			want = append(want, fmt.Sprint(service.Key, " ", backend.ID))
		}
	}
	for _, service := range observed.Services {
		for _, backend := range service.Backends {
			have = append(have, fmt.Sprint(service.Key, " ", backend.ID))
		}
	}
	if !slices.Equal(want, have) || len(observed.Services) != len(services) {
		t.Fatalf("observed is %q, set was %q", have, want)
	}
	return observed
}

// inOrder sorts services as engines expect them.
func inOrder(services []datapath.Service) []datapath.Service {
	slices.SortFunc(services, func(a, b datapath.Service) int {
		return cmp.Or(a.Key.Address.Compare(b.Key.Address), cmp.Compare(a.Key.Port, b.Key.Port), cmp.Compare(a.Key.Protocol, b.Key.Protocol))
	})
	return services
}
