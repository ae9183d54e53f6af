package datapathtest

import (
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
)

func obeysStates(t *testing.T, tr *trial) {
	for _, c := range []struct {
		name       string
		b          func(*datapath.Backend)
		keeps      bool
		keepsFlows bool // of datagrams
		new        bool
	}{
		{"down", with("b", func(b *datapath.Backend) { b.Up = false }), true, false, false},
		{"draining", in("b", datapath.Draining), true, true, false},
		{"draining and down", with("b", func(b *datapath.Backend) { b.State, b.Up = datapath.Draining, false }), true, false, false},
		{"filling", in("b", datapath.Filling), true, true, true},
		{"inactive", in("b", datapath.Inactive), false, false, false},
		{"gone", without("b"), false, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := tr.open(t)
			set(t, p, true, tr.all()...)
			var opened []map[string]*Conn
			for _, service := range tr.all() {
				opened = append(opened, tr.connectTo(t, service, "a", "b", "c"))
			}
			services := tr.all(c.b)
			put(t, p, services...)
			for i, service := range services {
				for _, backend := range []string{"a", "c"} {
					stays(t, opened[i][backend], backend)
				}
				switch {
				case c.keepsFlows || c.keeps && service.Key.Protocol == datapath.TCP:
					stays(t, opened[i]["b"], "b")
				case service.Key.Protocol == datapath.UDP:
					moves(t, opened[i]["b"], "b")
				default:
					opened[i]["b"].Patience = patience / 10
					if answer, err := opened[i]["b"].Request(); err == nil && answer.Backend == "b" {
						t.Errorf("%s: b still answers an old connection", service.Key)
					}
				}
				if c.new {
					tr.connectTo(t, service, "b")
				} else {
					tr.avoids(t, service, "b")
				}
			}
		})
	}
}

// moves requires that datagrams are answered by another backend; one may be lost on the
// way.
func moves(t *testing.T, flow *Conn, from string) {
	t.Helper()
	flow.Patience = patience / 10
	answer, err := flow.Request()
	if err != nil {
		answer, err = flow.Request()
	}
	if err != nil || answer.Backend == from {
		t.Errorf("%s: after %s, %q answers (%v)", flow.key, from, answer.Backend, err)
	}
}

// avoids requires that a backend gets no new connection; otherwise it would get every
// third.
func (tr *trial) avoids(t *testing.T, service datapath.Service, backend string) {
	t.Helper()
	for range 40 {
		if answer := tr.request(t, service); answer.Backend == backend {
			t.Fatalf("%s: %s got a new connection", service.Key, backend)
		}
	}
}
