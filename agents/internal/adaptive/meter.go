package adaptive

import (
	"math"
	"sync"
	"time"

	"fairlead.dev/agents/internal/adaptive/policy"
	"fairlead.dev/agents/internal/adaptive/signals"
)

// rateWindow is in which time past rates lose all but 1/e of their weight.
const rateWindow = 500 * time.Millisecond

// meter calculates the figures of a service at this node from what is counted. One goroutine adds; any may read.
type meter struct {
	mutex    sync.Mutex
	own      uint32  // number of this node
	cores    float64 // 0: no backend here is up
	before   signals.ServiceCounts
	total    signals.Counts // of before
	service  policy.ServiceTime
	rates    map[uint32]float64 // requests per second, by number of the node that they entered at; 0: unknown
	rate     float64            // all together
	counts   map[uint32]signals.Counts
	inFlight float64
	entered  float64 // requests per second that enter at this node, wherever they are served
}

func newMeter(own uint32) *meter { return &meter{own: own, rates: map[uint32]float64{}} }

// add records the counts now, the cores that are offered, and the CPU limit. The first counts, and those that began again,
// are only the base of the next.
func (m *meter) add(now signals.ServiceCounts, cores, limit float64) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	before, totalBefore, total := m.before, m.total, now.Total()
	m.before, m.total, m.counts, m.inFlight, m.cores = now, total, now.Nodes, float64(now.InFlight), cores
	if before.At == 0 || now.At <= before.At || now.Busy < before.Busy || total.Arrived < totalBefore.Arrived || total.Done < totalBefore.Done {
		return
	}
	period := time.Duration(now.At - before.At)
	// A limit is of the average. Counted with it, requests that run faster for a moment would look short.
	busy := min(float64(now.Busy-before.Busy)/1e9, limit*period.Seconds())
	m.service.Add(period, busy, int(total.Done-totalBefore.Done))
	for node, counts := range now.Nodes {
		since := counts.Arrived - min(counts.Arrived, before.Nodes[node].Arrived)
		m.rates[node] = average(m.rates[node], float64(since)/period.Seconds(), period, rateWindow)
	}
	m.rate = 0
	for _, rate := range m.rates {
		m.rate += rate
	}
}

// leastRate per second isn't distinguished from none, so that figures become constant without traffic.
const leastRate = 1e-3

// average moves an average rate by one period. Within the window, old values lose all but 1/e of their weight.
func average(before, current float64, period, window time.Duration) float64 {
	after := before - math.Expm1(-float64(period)/float64(window))*(current-before)
	if current == 0 && after < leastRate {
		return 0
	}
	return after
}

// enter records the rate of requests that enter at this node, and how long one takes at other nodes; 0: unknown.
func (m *meter) enter(rate, usual float64) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.entered = rate
	m.service.SetUsual(usual)
}

// isBusy reports whether figures are sent twice as often.
func (m *meter) isBusy() bool {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.rate >= policy.BusyRate
}

// arrived is how many requests came, from all nodes.
func (m *meter) arrived() uint64 {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.total.Arrived
}

// figures returns those for a node, by its number.
func (m *meter) figures(receiver uint32) policy.Figures {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return policy.Figures{
		Cores: m.cores, ServiceTime: m.service.Seconds(),
		Rate: m.rate, RateOfOthers: max(0, m.rate-m.rates[m.own]), RateOfReceiver: m.rates[receiver],
		EntryRate: m.entered, InFlight: m.inFlight, InFlightOfReceiver: float64(m.counts[receiver].InFlight),
	}
}
