package node

import (
	"net/http"

	"fairlead.dev/agents/internal/exposition"
)

// pageMetrics are how the page shows figures: divided by divisor, in Prometheus' base units.
var pageMetrics = []struct {
	figure, name string
	divisor      float64
	help         string
}{
	{"cpuUtilizationRatio", "cpu_utilization_ratio", 1, "Share of the CPU time that was used or stolen."},
	{"cpuUserRatio", "cpu_user_ratio", 1, "Part of the time that CPUs ran programs."},
	{"cpuSystemRatio", "cpu_system_ratio", 1, "Part of the time that CPUs ran the kernel."},
	{"cpuIowaitRatio", "cpu_iowait_ratio", 1, "Part of the time that CPUs waited for disks."},
	{"cpuStealRatio", "cpu_steal_ratio", 1, "Part of the time that the hypervisor gave CPUs to other VMs."},
	{"cpuPressureRatio", "cpu_pressure_ratio", 1, "Share of the time in which at least one process waited for a CPU."},
	{"memoryPressureRatio", "memory_pressure_ratio", 1, "Share of the time in which at least one process waited for memory."},
	{"memoryPressureFullRatio", "memory_pressure_full_ratio", 1, "Share of the time in which all processes that weren't idle waited for memory."},
	{"ioPressureRatio", "io_pressure_ratio", 1, "Share of the time in which at least one process waited for a disk."},
	{"ioPressureFullRatio", "io_pressure_full_ratio", 1, "Share of the time in which all processes that weren't idle waited for a disk."},
	{"memoryTotalBytes", "memory_total_bytes", 1, "Memory of the host."},
	{"memoryAvailableBytes", "memory_available_bytes", 1, "Memory that programs can still use."},
	{"memoryUsedBytes", "memory_used_bytes", 1, "Memory in use."},
	{"load1", "load1", 1, "Load average over 1 minute."},
	{"load5", "load5", 1, "Load average over 5 minutes."},
	{"load15", "load15", 1, "Load average over 15 minutes."},
	{"trackedConnections", "tracked_connections", 1, "Entries of the kernel's connection tracking."},
	{"trackedConnectionsLimit", "tracked_connections_limit", 1, "Maximum number of these entries."},
	{"interfaceReceiveBps", "interface_receive_bytes_per_second", 8, "Bytes received."},
	{"interfaceReceivePps", "interface_receive_packets_per_second", 1, "Packets received."},
	{"interfaceReceiveDropsPerSecond", "interface_receive_drops_per_second", 1, "Packets received and dropped."},
	{"interfaceReceiveErrorsPerSecond", "interface_receive_errors_per_second", 1, "Receive errors."},
	{"interfaceTransmitBps", "interface_transmit_bytes_per_second", 8, "Bytes sent."},
	{"interfaceTransmitPps", "interface_transmit_packets_per_second", 1, "Packets sent."},
	{"interfaceTransmitDropsPerSecond", "interface_transmit_drops_per_second", 1, "Packets dropped before sending."},
	{"interfaceTransmitErrorsPerSecond", "interface_transmit_errors_per_second", 1, "Send errors."},
	{"roundTripMs", "round_trip_seconds", 1000, "Shortest round trip to another node in the last 10 s."},
	{"agentMemoryBytes", "agent_memory_bytes", 1, "Resident memory of the agent."},
	{"agentGoroutines", "agent_goroutines", 1, "Goroutines of the agent."},
}

// Metrics serves the figures of the last sample in Prometheus' text format.
func (d *Driver) Metrics() http.Handler {
	return exposition.Page(func() ([]exposition.Family, error) { return families(d.points.snapshot()), nil })
}

// families leaves out metrics without values: the host doesn't have them.
func families(figures []Figure) (list []exposition.Family) {
	grouped := map[string][]Figure{}
	for _, figure := range figures {
		grouped[figure.Metric] = append(grouped[figure.Metric], figure)
	}
	for _, metric := range pageMetrics {
		if len(grouped[metric.figure]) == 0 {
			continue
		}
		family := exposition.Family{Name: "fairlead_" + metric.name, Help: metric.help, Kind: exposition.Gauge}
		for _, figure := range grouped[metric.figure] {
			family.Samples = append(family.Samples, exposition.Sample{Value: figure.Value / metric.divisor, Labels: figure.labels()})
		}
		list = append(list, family)
	}
	return list
}
