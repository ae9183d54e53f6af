package bpf

import (
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
)

func down(ids ...string) func(*datapath.Backend) {
	return func(b *datapath.Backend) {
		for _, id := range ids {
			b.Up = b.Up && b.ID != id
		}
	}
}

func TestDatagramsLeaveABackendThatIsDown(t *testing.T) {
	for _, hook := range []Hook{TCX, XDP} {
		t.Run(hook.Name, func(t *testing.T) {
			e := openAt(t, newPlace(t), hook, datapath.Options{})
			udp := func(changes ...func(*datapath.Backend)) datapath.Service {
				return newService(service4, 80, datapath.UDP, datapath.Direct, changes...)
			}
			set(t, e, udp())
			port := uint16(1000)
			for send(t, e, from4(17, port, 0, "")) != "a" {
				port++
			}
			for _, step := range []struct {
				name     string
				services datapath.Service
				want     string
			}{
				{"draining", udp(inState("a", datapath.Draining)), "a"},
				{"all down", udp(down("a", "b")), "a"},
				{"down", udp(down("a")), "b"},
				{"up again", udp(), "b"},
				{"draining and down", udp(inState("b", datapath.Draining), down("b")), "a"},
			} {
				set(t, e, step.services)
				for range 2 {
					if got := send(t, e, from4(17, port, 0, "")); got != step.want {
						t.Errorf("%s: it went to %q, want %s", step.name, got, step.want)
					}
				}
			}
			observed, err := e.Observe(t.Context())
			must(t, err)
			if n := observed.Services[0].Counts.Connections; int(n) != int(port)-1000+3 {
				t.Errorf("%d flows were counted, want %d and 2 that moved", n, port-999)
			}
		})
	}
}
