package adaptive

import (
	"fairlead.dev/agents/internal/adaptive/mesh"
	"fairlead.dev/agents/internal/exposition"
)

// families are the metrics page.
func (d *Driver) families() ([]exposition.Family, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.sockets == nil {
		return nil, nil
	}
	observed, err := d.sockets.Observe()
	if err != nil {
		return nil, err
	}
	loadBalancers := map[string]string{}
	for _, s := range d.services {
		loadBalancers[s.Key.String()] = s.LoadBalancer
	}
	open := exposition.Family{Name: "fairlead_adaptive_connections", Kind: exposition.Gauge, Help: "By node: connections of this node that are open there."}
	chosen := exposition.Family{Name: "fairlead_adaptive_chosen_total", Kind: exposition.Counter, Help: "By node: connections of this node that it was chosen for."}
	failed := exposition.Family{Name: "fairlead_adaptive_failures_total", Kind: exposition.Counter, Help: "By node: connects of this node that were rejected or not answered."}
	refused := exposition.Family{Name: "fairlead_adaptive_refused_total", Kind: exposition.Counter, Help: "Connections of this node for which no backend was up."}
	for _, service := range observed.Services {
		key := service.Key.String()
		labels := map[string]string{"load_balancer": loadBalancers[key], "service": key}
		refused.Samples = append(refused.Samples, exposition.Sample{Labels: labels, Value: float64(service.Refused)})
		for _, node := range service.Nodes {
			labels := map[string]string{"load_balancer": loadBalancers[key], "service": key, "to": node.Node}
			open.Samples = append(open.Samples, exposition.Sample{Labels: labels, Value: float64(node.Counts.Open)})
			chosen.Samples = append(chosen.Samples, exposition.Sample{Labels: labels, Value: float64(node.Counts.Chosen)})
			failed.Samples = append(failed.Samples, exposition.Sample{Labels: labels, Value: float64(node.Counts.Failures)})
		}
	}
	trips := exposition.Family{Name: "fairlead_adaptive_round_trip_seconds", Kind: exposition.Gauge, Help: "By node: the shortest round trip of the last ten seconds."}
	for _, peer := range d.desired.Peers {
		if trip := d.trips[peer.Node]; trip > 0 {
			trips.Samples = append(trips.Samples, exposition.Sample{Labels: map[string]string{"to": peer.Node}, Value: trip.Seconds()})
		}
	}
	datagrams := exposition.Family{Name: "fairlead_adaptive_datagrams_received_total", Kind: exposition.Counter, Help: "By result: datagrams with figures of other nodes."}
	for reason, count := range d.mesh.Counters().Received {
		datagrams.Samples = append(datagrams.Samples, exposition.Sample{Labels: map[string]string{"result": mesh.Reason(reason).String()}, Value: float64(count)})
	}
	return []exposition.Family{open, chosen, failed, refused, trips, datagrams}, nil
}
