package datapathtest

import (
	"fmt"
	"slices"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// replicasAgree moves connections to a replica that has never seen them, and back.
func replicasAgree(t *testing.T, tr *trial) {
	services := tr.all()
	for balancer := range tr.network.Balancers {
		set(t, tr.openIn(t, balancer, tr.options(t)), true, services...)
	}
	var streams []*Traffic
	for _, service := range services {
		streams = append(streams, tr.client().Start(t, service.Key, 12))
	}
	for _, balancer := range []int{1, 0, 1, 0} {
		tr.network.RouteTo(t, balancer)
		for _, traffic := range streams {
			traffic.More(t, 3)
		}
	}
	for _, traffic := range streams {
		traffic.Stop(t)
	}
}

// learnsFlows moves connections that the tables alone would break: those to a backend
// that is still filling.
func learnsFlows(t *testing.T, tr *trial) {
	services := tr.all(in("c", datapath.Filling))
	first, second := tr.openIn(t, 0, tr.options(t)), tr.openIn(t, 1, tr.options(t))
	set(t, first, true, services...)
	set(t, second, true, services...)
	var opened []map[string]*Conn
	for _, service := range services {
		opened = append(opened, tr.connectTo(t, service, "a", "b", "c"))
	}
	misplaced := func(do string) (flows []datapath.Flow) {
		until(t, func() error {
			answer, err := first.call(request{Do: do})
			must(t, err)
			for i := range answer.Flows {
				answer.Flows[i].Age = 0 // depends on the test's duration
			}
			for i, service := range services {
				if !slices.Contains(answer.Flows, datapath.Flow{Service: service.Key, Client: opened[i]["c"].Local(), Backend: "c"}) {
					return fmt.Errorf("the connection to c of %s isn't among the misplaced %v", service.Key, answer.Flows)
				}
			}
			flows = answer.Flows
			return nil
		})
		return flows
	}
	misplaced("delivered") // as they were established
	_, err := second.call(request{Do: "learn", Flows: misplaced("misplaced")})
	must(t, err)
	tr.network.RouteTo(t, 1)
	defer tr.network.RouteTo(t, 0)
	for i := range services {
		for backend, conn := range opened[i] {
			stays(t, conn, backend)
		}
	}
}
