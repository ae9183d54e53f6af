package simulate

import (
	"math"
	"time"

	"fairlead.dev/agents/internal/adaptive/policy"
)

// window is the period in which nodes update the averages that replies carry, in seconds.
const window = 0.02

// meter has averages of what a node counts.
type meter struct {
	rateOf    []float64 // requests per second, by entry
	entryRate float64
	service   policy.ServiceTime
	// What an application reports by ORCA.
	utilization, completionRate float64

	before struct { // when it was last read
		at, busy           float64
		completed, entered int
		arrived            []int
	}
}

func newMeter(nodes int) meter {
	m := meter{rateOf: make([]float64, nodes)}
	m.before.arrived = make([]int, nodes)
	return m
}

// read updates the averages with the period that ends now.
func (m *meter) read(n *node, now float64) {
	period := now - m.before.at
	if period <= 0 {
		return
	}
	n.advance(now)
	// As agents do: with a quota, cores may be busy for longer than it allows.
	busy, completed := min(n.busy-m.before.busy, n.count*period), n.completed-m.before.completed
	m.service.Add(time.Duration(period*float64(time.Second)), busy, completed)
	for entry := range m.rateOf {
		average(&m.rateOf[entry], float64(n.arrived[entry]-m.before.arrived[entry])/period, period, 0.5)
	}
	average(&m.entryRate, float64(n.entered-m.before.entered)/period, period, 0.5)
	average(&m.utilization, busy/period/n.count, period, 1)
	average(&m.completionRate, float64(completed)/period, period, 1)
	m.before.at, m.before.busy, m.before.completed, m.before.entered = now, n.busy, n.completed, n.entered
	copy(m.before.arrived, n.arrived)
}

// average moves an average by one period. In so many seconds, old values lose all but 1/e of their weight.
func average(value *float64, current, period, seconds float64) {
	*value -= math.Expm1(-period/seconds) * (current - *value)
}

func (m *meter) totalRate() (total float64) {
	for _, rate := range m.rateOf {
		total += rate
	}
	return total
}

// figures are those that node `own`, which is n, sends to the receiver.
func (m *meter) figures(n *node, own, receiver int) policy.Figures {
	total := m.totalRate()
	return policy.Figures{
		Cores: n.count, ServiceTime: m.service.Seconds(), Rate: total, RateOfOthers: total - m.rateOf[own], RateOfReceiver: m.rateOf[receiver],
		EntryRate: m.entryRate, InFlight: float64(n.inFlight), InFlightOfReceiver: float64(n.inFlightOf[receiver]),
	}
}
