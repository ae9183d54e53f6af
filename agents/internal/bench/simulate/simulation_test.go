package simulate

import (
	"math"
	"reflect"
	"testing"

	"fairlead.dev/agents/internal/adaptive/policy"
)

func TestAPlanWithTheSameSeedGivesTheSameFigures(t *testing.T) {
	for _, name := range Subjects() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, count := range []int{1, 10} {
				point := Point{Placement: placements[5], DelayMs: 3, Load: 0.6, Work: Heavy, PerConnection: count}
				plan := point.Plan(3, 1)
				plan.Changes = []Change{{1, Speed, 0, 0.5}, {1.2, Kill, 2, 0}, {1.5, Rate, 1, 100}, {2, Neighbour, 1, 0.5}}
				first, second := run(t, plan, name), run(t, plan, name)
				if !reflect.DeepEqual(first, second) {
					t.Errorf("%d requests per connection: got %+v, then %+v", count, first, second)
				}
				if first.Latency.Count == 0 {
					t.Error("no request was served")
				}
			}
		})
	}
}

func TestOneNodeIsAQueueWithAsManyServersAsCores(t *testing.T) {
	for _, cores := range []float64{1, 2, 8} {
		for _, work := range []Work{Exponential, Heavy} {
			t.Run(string(work), func(t *testing.T) {
				t.Parallel()
				plan := Cluster([]float64{cores}, []int{1}, 0.001)
				plan.Work, plan.Rates, plan.For = work, []float64{0.7 * cores / plan.ServiceTime}, 600
				got := run(t, plan, "random").MeanMs / 1000

				// The mean of a queue that shares its cores depends on the distribution's mean alone for one core, and
				// nearly so for more. By Little's law it is E[N]/λ, and E[N] is λ·Δ(0), because Δ(−1) is 0.
				var value policy.Value
				value.Set(plan.Rates[0], plan.ServiceTime, cores)
				if want := value.Of(0) + 2*delayInside; math.Abs(got-want) > 0.05*want {
					t.Errorf("%g cores: mean %g s, want %g", cores, got, want)
				}
			})
		}
	}
}

// The figures of the paper that its text has: iptables falls from about 4500 to 1000, RAP stays at 6000.
func TestThePapersDelaysHaveItsThroughput(t *testing.T) {
	const capacity = 6000
	for _, test := range []struct {
		subject     string
		delayMs     float64
		least, most float64
	}{
		{"random", 3, 4350, 4620}, {"random", 18, 1100, 1165},
		{"rap", 3, 0.95 * capacity, 1.01 * capacity}, {"rap", 18, 0.95 * capacity, 1.01 * capacity},
		{Adaptive, 3, 0.98 * capacity, 1.01 * capacity}, {Adaptive, 18, 0.98 * capacity, 1.01 * capacity},
		{"rap-pseudocode", 3, 0, 0.7 * capacity}, // its BestNode stays
	} {
		t.Run(test.subject, func(t *testing.T) {
			t.Parallel()
			got := run(t, paperPlan(test.delayMs, []int{8, 8, 8, 8}, Options{Seed: 1, Seconds: 5}), test.subject).RequestsPerSecond
			if got < test.least || got > test.most {
				t.Errorf("%g ms: %.0f requests per second, want %.0f to %.0f", test.delayMs, got, test.least, test.most)
			}
		})
	}
}

func TestNodesWithoutFiguresReceiveTheirShareByBackends(t *testing.T) {
	plan := Point{Placement: placements[0], DelayMs: 3, Load: 0.2, Work: Exponential}.Plan(1, 10)
	plan.Exchange, plan.Warmup = 1000, 5 // none in the run
	if got := run(t, plan, Adaptive).LocalShare; math.Abs(got-0.25) > 0.01 {
		t.Errorf("local share %.3f, want 0.25", got)
	}
}

func TestManyNodesAreSampled(t *testing.T) {
	const nodes = 32
	cores, backends, rates := make([]float64, nodes), make([]int, nodes), make([]float64, nodes)
	for j := range nodes {
		cores[j], backends[j], rates[j] = 2, 1, 750
		if j < 8 {
			rates[j] = 2400 // more than the node can serve
		}
	}
	plan := Cluster(cores, backends, 0.003)
	plan.Rates, plan.For = rates, 3
	got := run(t, plan, Adaptive)
	if got.Latency.P99 > 22 {
		t.Errorf("p99 is %.1f ms", got.Latency.P99)
	}
	for j, busy := range got.BusyShares {
		if busy > 0.97 {
			t.Errorf("node %d is busy %.2f of the time", j, busy)
		}
	}
}
