package balancer

import (
	"runtime"

	"fairlead.dev/agents/internal/exposition"
)

// level is what a figure is about. Each level has metrics of its own, so that the sum of a metric
// counts everything once: the total of a replica already contains its load balancers.
type level struct{ prefix, title string }

var (
	replicaLevel      = level{"fairlead_replica_", "Replica total"}
	loadBalancerLevel = level{"fairlead_load_balancer_", "By load balancer"}
	backendLevel      = level{"fairlead_backend_", "By backend"}
)

func levelOf(labels map[string]string) level {
	switch {
	case labels["backend"] != "":
		return backendLevel
	case labels["loadBalancer"] != "":
		return loadBalancerLevel
	default:
		return replicaLevel
	}
}

// pageMetrics are how the page shows figures: divided by divisor, in Prometheus' base units. Each is listed even without values: no drops may also mean that drops aren't counted.
var pageMetrics = []struct {
	figure, name string
	divisor      float64
	help         string
	only         level // zero: every level
}{
	{"connectionsLive", "connections_live", 1, "open connections", level{}},
	{"connectionsNewPerSecond", "connections_new_per_second", 1, "new connections", level{}},
	{"dropsPerSecond", "drops_per_second", 1, "what was dropped, by reason. Engine ipvs shows none, for the kernel's IP_VS counts none; " +
		"engine nftables shows services without a backend and fragments, and none on the way to a backend", level{}},
	{"firstByteMsP50", "first_byte_p50_seconds", 1000, "from the first byte of a request to the first of its reply, median", level{}},
	{"firstByteMsP99", "first_byte_p99_seconds", 1000, "from the first byte of a request to the first of its reply, 99th percentile", level{}},
	{"healthChangesPerSecond", "health_changes_per_second", 1, "health transitions of backends", level{}},
	{"latencyMsP50", "latency_p50_seconds", 1000, "time to set up a connection, median", level{}},
	{"latencyMsP99", "latency_p99_seconds", 1000, "time to set up a connection, 99th percentile", level{}},
	{"packetsPerSecond", "packets_per_second", 1, "packets from clients", level{}},
	{"sessionHeldHellos", "session_held_hellos", 1, "TLS hellos that wait for their other packets, or for the search of their session id", loadBalancerLevel},
	{"sessionHellosPerSecond", "session_hellos_per_second", 1, "TLS hellos of connections that are placed by session: " +
		"what names the session, and whether its client got to its backend (home), that takes nothing (gone), or isn't known", loadBalancerLevel},
	{"sessionIdSearchesPerSecond", "session_id_searches_per_second", 1, "TLS 1.2 hellos whose session id was searched at the backends: " +
		"one has it (found), all lack it (absent), or some didn't answer (unanswered)", loadBalancerLevel},
	{"sessionQuestionsPerSecond", "session_questions_per_second", 1, "connections of other replicas that were searched at the backends", loadBalancerLevel},
	{"sessionSynsPerSecond", "session_syns_per_second", 1, "SYNs that this replica answered itself, by a cookie", loadBalancerLevel},
	{"throughputBps", "throughput_bytes_per_second", 8, "bytes from clients", level{}},
	{"toClientsBps", "to_clients_bytes_per_second", 8, "bytes that passed on their way to clients: " +
		"0 with the deliveries direct, tunnel and gue, whose replies bypass the balancer (DSR)", level{}},
}

// metrics returns the newest figures and what only the page has.
func (d *Driver) metrics() ([]exposition.Family, error) {
	unacknowledged := exposition.Family{
		Name: "fairlead_first_packets_unacknowledged_total", Kind: exposition.Counter,
		Help: "Connections whose first packet was forwarded before every other replica had acknowledged their flow.",
	}
	if exchange := d.ready.Load().exchange; exchange != nil {
		unacknowledged.Samples = []exposition.Sample{{Value: float64(exchange.Unacked())}}
	}
	return append(families(d.figures.snapshot()),
		unacknowledged,
		exposition.Family{
			Name: "fairlead_agent_goroutines", Kind: exposition.Gauge, Help: "Goroutines of the agent.",
			Samples: []exposition.Sample{{Value: float64(runtime.NumGoroutine())}},
		},
	), nil
}

func families(all []figure) []exposition.Family {
	type key struct {
		level  level
		metric string
	}
	grouped := map[key][]figure{}
	for _, one := range all {
		at := key{levelOf(one.labels), one.metric}
		grouped[at] = append(grouped[at], one)
	}
	var list []exposition.Family
	for _, level := range []level{replicaLevel, loadBalancerLevel, backendLevel} {
		for _, metric := range pageMetrics {
			if metric.only.prefix != "" && metric.only != level {
				continue
			}
			family := exposition.Family{Name: level.prefix + metric.name, Help: level.title + ": " + metric.help + ".", Kind: exposition.Gauge}
			for _, one := range grouped[key{level, metric.figure}] {
				family.Samples = append(family.Samples, exposition.Sample{Labels: pageLabels(one.labels), Value: one.value / metric.divisor})
			}
			list = append(list, family)
		}
	}
	return list
}

// pageLabels are a figure's labels in Prometheus' spelling.
func pageLabels(labels map[string]string) map[string]string {
	spelled := make(map[string]string, len(labels))
	for name, value := range labels {
		if name == "loadBalancer" {
			name = "load_balancer"
		}
		spelled[name] = value
	}
	return spelled
}
