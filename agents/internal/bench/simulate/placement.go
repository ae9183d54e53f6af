package simulate

import "fmt"

// Placement is where cores, backends and requests are.
type Placement struct {
	Name     string
	Cores    []float64
	Backends []int
	Shares   []float64 // of the requests, by node
	ring     bool      // nodes are as far from each other as on a ring
}

var (
	fourNodes  = []float64{2, 2, 2, 2}
	oneEach    = []int{1, 1, 1, 1}
	evenShares = []float64{.25, .25, .25, .25}
	skewed     = Placement{"70:10:10:10", fourNodes, oneEach, []float64{.7, .1, .1, .1}, false}
	placements = []Placement{
		{"even", fourNodes, oneEach, evenShares, false},
		skewed,
		{"40:40:10:10", fourNodes, oneEach, []float64{.4, .4, .1, .1}, false},
		{"one entry", fourNodes, oneEach, []float64{1, 0, 0, 0}, false},
		{"4, 2, 2 and 1 cores", []float64{4, 2, 2, 1}, []int{2, 1, 1, 1}, evenShares, false},
		{"no backend at one node", fourNodes, []int{2, 1, 1, 0}, evenShares, false},
		{"ring of 8", []float64{2, 2, 2, 2, 2, 2, 2, 2}, []int{1, 1, 1, 1, 1, 1, 1, 1}, []float64{.3, .2, .1, .1, .1, .1, .05, .05}, true},
	}
)

// Point is a placement with a delay and a load.
type Point struct {
	Placement     Placement
	DelayMs       float64 // one way between nodes
	Load          float64 // of the cores of nodes with backends
	Work          Work
	PerConnection int
}

func (p Point) String() string {
	return fmt.Sprintf("%s, %g ms, load %g, %s", p.Placement.Name, p.DelayMs, p.Load, p.Work)
}

// Plan returns the plan for a point.
func (p Point) Plan(seed uint64, length float64) Plan {
	place := p.Placement
	plan := Cluster(place.Cores, place.Backends, p.DelayMs/1000)
	if place.ring {
		plan.Delay = ring(len(place.Cores), p.DelayMs/1000)
	}
	plan.Work, plan.Seed, plan.For, plan.PerConnection = p.Work, seed, length, max(1, p.PerConnection)
	cores := 0.0
	for j, count := range place.Cores {
		if place.Backends[j] > 0 {
			cores += count
		}
	}
	for _, share := range place.Shares {
		plan.Rates = append(plan.Rates, share*p.Load*cores/plan.ServiceTime)
	}
	return plan
}

// ring has half of the delay between neighbours.
func ring(nodes int, delay float64) [][]float64 {
	matrix := uniform(nodes, delay)
	for i := range matrix {
		for j := range matrix {
			if i != j {
				distance := (i - j + nodes) % nodes
				matrix[i][j] = delay / 2 * float64(min(distance, nodes-distance))
			}
		}
	}
	return matrix
}
