package bpf

import (
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

func stored(t *testing.T, e *Engine, name string) (n int) {
	t.Helper()
	var slot uint32
	for err := e.maps[name].NextKey(nil, &slot); err == nil; err = e.maps[name].NextKey(slot, &slot) {
		n++
	}
	return n
}

func TestFormerServicesLeaveNoWeights(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	const most = int(program.TcxPlacedLimitsWEIGHED)
	all := func(from int, chooser datapath.Chooser) (services []datapath.Service) {
		for port := range most {
			one := newService(service4, uint16(from+port), datapath.TCP, datapath.Direct)
			one.Chooser = chooser
			services = append(services, one)
		}
		return services
	}
	for _, step := range []struct {
		name     string
		services []datapath.Service
		want     int
	}{
		{"as many as there can be", all(1000, datapath.Private), most},
		{"as many others", all(2000, datapath.Private), most},
		{"with another chooser", all(2000, datapath.Agreed), 0},
		{"with the first one again", all(2000, datapath.Private), most},
		{"none", nil, 0},
	} {
		set(t, e, step.services...)
		if got := stored(t, e, program.TcxMapWeights); got != step.want {
			t.Errorf("%s: %d services have weights, want %d", step.name, got, step.want)
		}
	}
}

// Weights count until the next call, also in the next process, and also of a backend that was
// down meanwhile. Those of a service that had another chooser meanwhile don't.
func TestWeightsCountUntilTheServiceIsGone(t *testing.T) {
	place := newPlace(t)
	first := openAt(t, place, TCX, datapath.Options{})
	set(t, first, privately())
	must(t, first.Weigh(tcpService().Key, map[string]uint32{"a": 0}))
	set(t, first, privately(down("a")))
	must(t, first.Close())
	e := openAt(t, place, TCX, datapath.Options{})
	draws := func(from uint16) map[string]bool {
		set(t, e, privately())
		to := map[string]bool{}
		for port := range uint16(40) {
			to[send(t, e, from4(6, from+port, syn, ""))] = true
		}
		return to
	}
	if to := draws(1000); to["a"] || !to["b"] {
		t.Errorf("connections went to %v, and a has no weight", to)
	}
	set(t, e, tcpService())
	if to := draws(2000); !to["a"] || !to["b"] {
		t.Errorf("connections went to %v, and both have the weight of the service", to)
	}
}
