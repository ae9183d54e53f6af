package fleet

import (
	"fmt"
	"math/rand/v2"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// walk is a value that moves at random between bounds, like a measured one.
type walk struct {
	metric    string
	iface     string
	value     float64
	step      float64
	low, high float64
}

// next moves the value a little, and turns at the bounds.
func (w *walk) next() float64 {
	w.value += (rand.Float64()*2 - 1) * w.step
	if w.value < w.low {
		w.value = 2*w.low - w.value
	}
	if w.value > w.high {
		w.value = 2*w.high - w.value
	}
	return w.value
}

const gib = 1 << 30

// hostWalks are the series a host has once.
var hostWalks = []walk{
	{metric: "cpuUtilizationRatio", value: 0.3, step: 0.05, high: 1},
	{metric: "cpuUserRatio", value: 0.2, step: 0.04, high: 1},
	{metric: "cpuSystemRatio", value: 0.08, step: 0.02, high: 0.5},
	{metric: "cpuIowaitRatio", value: 0.01, step: 0.005, high: 0.2},
	{metric: "cpuStealRatio", value: 0.01, step: 0.005, high: 0.1},
	{metric: "cpuPressureRatio", value: 0.1, step: 0.02, high: 1},
	{metric: "memoryPressureRatio", value: 0.01, step: 0.005, high: 0.3},
	{metric: "memoryPressureFullRatio", value: 0.005, step: 0.002, high: 0.1},
	{metric: "ioPressureRatio", value: 0.02, step: 0.01, high: 0.5},
	{metric: "ioPressureFullRatio", value: 0.01, step: 0.005, high: 0.2},
	{metric: "memoryTotalBytes", value: 16 * gib, low: 16 * gib, high: 16 * gib},
	{metric: "memoryUsedBytes", value: 6 * gib, step: gib / 16, low: gib, high: 16 * gib},
	{metric: "memoryAvailableBytes", value: 10 * gib, step: gib / 16, high: 15 * gib},
	{metric: "load1", value: 1.5, step: 0.2, high: 32},
	{metric: "load5", value: 1.5, step: 0.05, high: 32},
	{metric: "load15", value: 1.5, step: 0.02, high: 32},
	{metric: "trackedConnections", value: 40_000, step: 2_000, high: 1 << 18},
	{metric: "trackedConnectionsLimit", value: 1 << 18, low: 1 << 18, high: 1 << 18},
	{metric: "roundTripMs", value: 0.4, step: 0.05, low: 0.1, high: 20},
	{metric: "agentMemoryBytes", value: 24 << 20, step: 1 << 16, low: 16 << 20, high: 64 << 20},
	{metric: "agentGoroutines", value: 18, step: 1, low: 12, high: 40},
}

// interfaceWalks are the series a host has per interface.
var interfaceWalks = []walk{
	{metric: "interfaceReceiveBps", value: 2e8, step: 2e7, high: 1e10},
	{metric: "interfaceTransmitBps", value: 2e8, step: 2e7, high: 1e10},
	{metric: "interfaceReceivePps", value: 2e4, step: 2e3, high: 1e6},
	{metric: "interfaceTransmitPps", value: 2e4, step: 2e3, high: 1e6},
	{metric: "interfaceReceiveDropsPerSecond", value: 0, step: 0.2, high: 50},
	{metric: "interfaceTransmitDropsPerSecond", value: 0, step: 0.2, high: 50},
	{metric: "interfaceReceiveErrorsPerSecond", value: 0, step: 0.01, high: 5},
	{metric: "interfaceTransmitErrorsPerSecond", value: 0, step: 0.01, high: 5},
}

// HostSeries is how many series a host with one interface has.
var HostSeries = len(hostWalks) + len(interfaceWalks)

// newWalks creates count series: those of the host first, then interface by interface, so that a
// larger count is a host with more interfaces.
func newWalks(count int) []walk {
	walks := append([]walk(nil), hostWalks[:min(count, len(hostWalks))]...)
	for i := 0; len(walks) < count; i++ {
		w := interfaceWalks[i%len(interfaceWalks)]
		w.iface = fmt.Sprintf("eth%d", i/len(interfaceWalks))
		walks = append(walks, w)
	}
	for i := range walks { // hosts differ
		walks[i].value = min(walks[i].value*(0.5+rand.Float64()), walks[i].high)
		walks[i].value = max(walks[i].value, walks[i].low)
	}
	return walks
}

// newSeries allocates the points of one report.
func newSeries(walks []walk, points int) []*agentv1.SeriesPoints {
	var all []*agentv1.SeriesPoints
	for _, w := range walks {
		series := &agentv1.SeriesPoints{Metric: w.metric, AtMs: make([]int64, points), Values: make([]float64, points)}
		if w.iface != "" {
			series.Labels = map[string]string{"interface": w.iface}
		}
		all = append(all, series)
	}
	return all
}
