package node

import (
	"time"

	"fairlead.dev/agents/internal/node/echo"
)

// Figure is one measured value. Metric names are those of the control plane's catalog.
type Figure struct {
	Metric    string
	Interface string // empty for the host as a whole
	Node      string // the ID of another node, if the figure is about the network between them
	Value     float64
}

func (f *Figure) labels() map[string]string {
	switch {
	case f.Interface != "":
		return map[string]string{"interface": f.Interface}
	case f.Node != "":
		return map[string]string{"node": f.Node}
	}
	return nil
}

// appendGauges adds the figures of a single reading.
func appendGauges(figures []Figure, now *Counters, goroutines int) []Figure {
	figures = append(figures,
		Figure{Metric: "memoryTotalBytes", Value: float64(now.Memory.Total)},
		Figure{Metric: "memoryAvailableBytes", Value: float64(now.Memory.Available)},
		Figure{Metric: "memoryUsedBytes", Value: float64(now.Memory.Total - now.Memory.Available)},
		Figure{Metric: "load1", Value: now.Load[0]},
		Figure{Metric: "load5", Value: now.Load[1]},
		Figure{Metric: "load15", Value: now.Load[2]},
		Figure{Metric: "agentMemoryBytes", Value: float64(now.AgentMemoryBytes)},
		Figure{Metric: "agentGoroutines", Value: float64(goroutines)},
	)
	return appendConnections(figures, now.Connections)
}

// appendConnections leaves out what the host doesn't have. A limit of zero would look like a full
// table, so it is left out too.
func appendConnections(figures []Figure, connections *Connections) []Figure {
	if connections == nil {
		return figures
	}
	figures = append(figures, Figure{Metric: "trackedConnections", Value: float64(connections.Tracked)})
	if connections.Limit == 0 {
		return figures
	}
	return append(figures, Figure{Metric: "trackedConnectionsLimit", Value: float64(connections.Limit)})
}

// appendRates adds the figures of two readings. Readings further apart than gapMost, as after the
// process was suspended, give no current rates.
func appendRates(figures []Figure, before, now *Counters, gapMost time.Duration) []Figure {
	elapsed := now.At.Sub(before.At)
	if elapsed <= 0 || elapsed > gapMost {
		return figures
	}
	figures = appendCPU(figures, before.CPU, now.CPU)
	figures = appendPressure(figures, before.Pressure, now.Pressure, elapsed)
	for i := range now.Interfaces {
		// Both lists are in the kernel's order, so the index usually matches.
		earlier := find(before.Interfaces, now.Interfaces[i].Name, i)
		if earlier != nil {
			figures = appendInterface(figures, earlier, &now.Interfaces[i], elapsed.Seconds())
		}
	}
	return figures
}

func appendCPU(figures []Figure, before, now CPUTimes) []Figure {
	user, system := grown(before.User, now.User), grown(before.System, now.System)
	idle, iowait, steal := grown(before.Idle, now.Idle), grown(before.Iowait, now.Iowait), grown(before.Steal, now.Steal)
	total := user + system + idle + iowait + steal
	if total == 0 {
		return figures
	}
	return append(figures,
		Figure{Metric: "cpuUtilizationRatio", Value: (user + system + steal) / total},
		Figure{Metric: "cpuUserRatio", Value: user / total},
		Figure{Metric: "cpuSystemRatio", Value: system / total},
		Figure{Metric: "cpuIowaitRatio", Value: iowait / total},
		Figure{Metric: "cpuStealRatio", Value: steal / total},
	)
}

// appendPressure turns stalled time into shares of the time between two readings. The kernel's own
// averages lag by 10 s or more. A balancer that moves load away from a node needs its pressure now, and
// shares of intervals can be averaged over any longer span without an error.
func appendPressure(figures []Figure, before, now *Pressure, elapsed time.Duration) []Figure {
	if before == nil || now == nil {
		return figures
	}
	// Not more than all of the time: the kernel's counters and ours are read a moment apart.
	share := func(before, now uint64) float64 {
		return min(1, grown(before, now)/(elapsed.Seconds()*1e6))
	}
	return append(figures,
		Figure{Metric: "cpuPressureRatio", Value: share(before.CPU.Some, now.CPU.Some)},
		Figure{Metric: "memoryPressureRatio", Value: share(before.Memory.Some, now.Memory.Some)},
		Figure{Metric: "memoryPressureFullRatio", Value: share(before.Memory.Full, now.Memory.Full)},
		Figure{Metric: "ioPressureRatio", Value: share(before.IO.Some, now.IO.Some)},
		Figure{Metric: "ioPressureFullRatio", Value: share(before.IO.Full, now.IO.Full)},
	)
}

// grown is zero for a counter that decreased: the kernel documents that for iowait, and after a
// reset the value is unknown.
func grown(before, now uint64) float64 {
	if now < before {
		return 0
	}
	return float64(now - before)
}

func appendInterface(figures []Figure, before, now *InterfaceCounters, seconds float64) []Figure {
	figures = appendDirection(figures, now.Name, &receiveMetrics, before.Receive, now.Receive, seconds)
	return appendDirection(figures, now.Name, &transmitMetrics, before.Transmit, now.Transmit, seconds)
}

type directionMetrics struct{ bits, packets, drops, errors string }

var (
	receiveMetrics = directionMetrics{
		"interfaceReceiveBps", "interfaceReceivePps",
		"interfaceReceiveDropsPerSecond", "interfaceReceiveErrorsPerSecond",
	}
	transmitMetrics = directionMetrics{
		"interfaceTransmitBps", "interfaceTransmitPps",
		"interfaceTransmitDropsPerSecond", "interfaceTransmitErrorsPerSecond",
	}
)

// appendDirection leaves out an interface if any of its counters decreased: it was created again
// with the same name.
func appendDirection(figures []Figure, name string, metrics *directionMetrics, before, now Direction, seconds float64) []Figure {
	if now.Bytes < before.Bytes || now.Packets < before.Packets || now.Drops < before.Drops || now.Errors < before.Errors {
		return figures
	}
	return append(figures,
		Figure{Metric: metrics.bits, Interface: name, Value: float64(now.Bytes-before.Bytes) * 8 / seconds},
		Figure{Metric: metrics.packets, Interface: name, Value: float64(now.Packets-before.Packets) / seconds},
		Figure{Metric: metrics.drops, Interface: name, Value: float64(now.Drops-before.Drops) / seconds},
		Figure{Metric: metrics.errors, Interface: name, Value: float64(now.Errors-before.Errors) / seconds},
	)
}

func appendRoundTrips(figures []Figure, roundTrips []echo.RoundTrip) []Figure {
	for _, each := range roundTrips {
		figures = append(figures, Figure{Metric: "roundTripMs", Node: each.Node, Value: float64(each.Time) / float64(time.Millisecond)})
	}
	return figures
}

func find(interfaces []InterfaceCounters, name string, likely int) *InterfaceCounters {
	if likely < len(interfaces) && interfaces[likely].Name == name {
		return &interfaces[likely]
	}
	for i := range interfaces {
		if interfaces[i].Name == name {
			return &interfaces[i]
		}
	}
	return nil
}
