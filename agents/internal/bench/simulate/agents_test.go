package simulate

import (
	"math"
	"testing"
)

// arrivals records with what age figures of each node are used at the first one.
type arrivals struct {
	adaptive
	ages [2][]float64
}

func (a *arrivals) received(s *simulation, entry, from int) {
	if entry == 0 {
		a.ages[from] = append(a.ages[from], s.now-s.links[entry][from].exchanged.at)
	}
	a.adaptive.received(s, entry, from)
}

// The results are only those of agents if figures are as old as theirs.
func TestFiguresArriveAsOftenAndAsLateAsThoseOfAgents(t *testing.T) {
	const delay, seconds = 0.009, 10
	for _, test := range []struct {
		name      string
		rate      float64 // of requests at the second node, all of which are served there
		perSecond float64
	}{
		{"a calm service", 100, 20},
		{"a busy service", 1000, 40},
	} {
		t.Run(test.name, func(t *testing.T) {
			plan := Cluster([]float64{2, 2}, []int{1, 1}, delay)
			plan.Rates, plan.Warmup, plan.For = []float64{0, test.rate}, 2, seconds
			subject := &arrivals{}
			s := newSimulation(plan, subject)
			s.start()
			s.after(plan.Warmup, func() { subject.ages[1] = nil })
			if err := s.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := float64(len(subject.ages[1])) / seconds; math.Abs(got-test.perSecond) > 0.5 {
				t.Errorf("they arrive %g times a second, want %g", got, test.perSecond)
			}
			for _, age := range subject.ages[1] {
				if want := readToSent + delay + arrivedToWritten; math.Abs(age-want) > 1e-9 {
					t.Fatalf("they are %g s old, want %g", age, want)
				}
			}
		})
	}
}
