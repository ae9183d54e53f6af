package simulate

import (
	"math"
	"testing"
)

// near reports whether a value is within a share of another one.
func near(got, want, share float64) bool { return math.Abs(got-want) <= share*want }

// alone is one node with requests at random times, so that theory has its latency.
func alone(cores, load float64) Plan {
	plan := Cluster([]float64{cores}, []int{1}, 0.001)
	plan.ServiceTime, plan.For = 0.001, 150
	plan.Rates = []float64{load * cores / plan.ServiceTime}
	return plan
}

// In order, latency of exponential requests at one core is exponential. Served all at once, its tail is longer.
func TestInOrderTheTailIsThatOfOneQueue(t *testing.T) {
	plan := alone(1, 0.8)
	plan.InOrder = true
	inOrder := run(t, plan, Adaptive)
	mean := 1000 * plan.ServiceTime / (1 - 0.8)
	if !near(inOrder.MeanMs, mean, 0.05) || !near(inOrder.Latency.P99, mean*math.Log(100), 0.08) {
		t.Errorf("mean %g ms, p99 %g ms, want %g and %g", inOrder.MeanMs, inOrder.Latency.P99, mean, mean*math.Log(100))
	}
	plan.InOrder = false
	if atOnce := run(t, plan, Adaptive); !near(atOnce.MeanMs, mean, 0.05) || atOnce.Latency.P99 < 1.25*inOrder.Latency.P99 {
		t.Errorf("all at once: mean %g ms, p99 %g ms", atOnce.MeanMs, atOnce.Latency.P99)
	}
}

// With a quota, a request that finds some left takes as long as on a whole core, and others wait for the next period.
func TestAQuotaLimitsCPUTimePerPeriod(t *testing.T) {
	plan := alone(0.2, 0.5)
	plan.ServiceTime, plan.Rates = 1.0/7500, []float64{750}
	plan.InOrder = true
	speed := run(t, plan, Adaptive)
	plan.CPUPeriods = []float64{0.005}
	period := run(t, plan, Adaptive)
	if !near(period.BusyShares[0], 0.5, 0.03) {
		t.Errorf("busy share %g", period.BusyShares[0])
	}
	if least := 1000 * plan.ServiceTime * math.Ln2; period.Latency.P50 < least || period.Latency.P50 > speed.Latency.P50/2 {
		t.Errorf("p50 %g ms, with a speed %g", period.Latency.P50, speed.Latency.P50)
	}
	plan.Rates = []float64{1600}
	plan.For = 20
	if over := run(t, plan, Adaptive); !near(over.RequestsPerSecond, 1500, 0.03) || !near(over.BusyShares[0], 1, 0.01) {
		t.Errorf("overloaded, it serves %g requests per second and is busy for %g", over.RequestsPerSecond, over.BusyShares[0])
	}
}

func TestAHandshakeTakesARoundTripBeforeARequest(t *testing.T) {
	plan := Cluster([]float64{4, 4}, []int{0, 1}, 0.010)
	plan.ServiceTime, plan.Rates, plan.For, plan.Work = 0.001, []float64{100, 0}, 50, Constant
	plan.Handshake = true
	if got := run(t, plan, Adaptive).MeanMs; !near(got, 41, 0.02) {
		t.Errorf("mean %g ms, want 41", got)
	}
	plan.PerConnection, plan.Connections = 10, 4
	if got := run(t, plan, Adaptive).MeanMs; !near(got, 23, 0.03) {
		t.Errorf("mean %g ms of 10 requests per connection, want 23", got)
	}
}

func TestPeriodsThatLinuxRejectsAreRejected(t *testing.T) {
	for _, periods := range [][]float64{{}, {1e-6}, {2}, {-1}, {math.NaN()}} {
		plan := alone(1, 0.5)
		plan.InOrder, plan.CPUPeriods = true, periods
		if plan.Check() == nil {
			t.Errorf("%v was accepted", periods)
		}
	}
}
