package simulate

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Plan is one run. Times are in seconds.
type Plan struct {
	Seed          uint64      `json:"seed"`
	Cores         []float64   `json:"cores"`    // of each node
	Backends      []int       `json:"backends"` // on each node
	Delay         [][]float64 `json:"delay"`    // one way, from node to node
	Rates         []float64   `json:"rates"`    // requests per second that enter at each node
	Clients       []int       `json:"clients"`  // in place of rates: at each node, clients that send after each reply
	ServiceTime   float64     `json:"serviceTime"`
	Work          Work        `json:"work"`
	InOrder       bool        `json:"inOrder"`    // requests of a node are served in order, as many at once as it has cores; else all at once
	CPUPeriods    []float64   `json:"cpuPeriods"` // of each node whose cores are a quota of CPU time per period; 0: they are a speed
	Handshake     bool        `json:"handshake"`  // connections take a round trip before their first request
	Warmup        float64     `json:"warmup"`     // not measured
	For           float64     `json:"for"`
	Exchange      float64     `json:"exchange"`      // period in which nodes exchange figures
	PerConnection int         `json:"perConnection"` // requests of a connection, on average
	Connections   int         `json:"connections"`   // that each node keeps open, if they carry more than one request
	Detection     float64     `json:"detection"`     // after which a killed backend is no endpoint any more
	Threshold     float64     `json:"threshold"`     // of RAP: the share of CPU and RAM at which a node is overloaded
	Changes       []Change    `json:"changes"`
}

// Work is the distribution of the time that requests take a core.
type Work string

// The distributions. All have the plan's mean.
const (
	Constant    Work = "constant"
	Exponential Work = "exponential"
	Heavy       Work = "heavy" // lognormal, σ 1.5: p99 is 10.6 times the mean
)

// Change happens while a plan runs.
type Change struct {
	At    float64 `json:"at"`
	What  What    `json:"what"`
	Index int     `json:"index"` // of the node, or of the backend for Kill
	Value float64 `json:"value"`
}

// What is a kind of change.
type What string

// The changes.
const (
	Speed     What = "speed"     // the node's speed is Value times what it was at the start
	Neighbour What = "neighbour" // another process takes this share of the node's cores
	Kill      What = "kill"      // the backend ends, and its requests fail
	Rate      What = "rate"      // Value requests per second enter at the node
)

// The paper's cluster serves 6000 requests per second on four nodes of two cores.
const paperServiceTime = 4 * 2 / 6000.0

// Cluster returns a plan for a cluster with the same delay between all nodes. It lacks rates or clients.
func Cluster(cores []float64, backends []int, delay float64) Plan {
	return Plan{
		Seed: 1, Cores: slices.Clone(cores), Backends: slices.Clone(backends), Delay: uniform(len(cores), delay), ServiceTime: paperServiceTime, Work: Exponential,
		Warmup: 2, For: 10, Exchange: 0.05, PerConnection: 1, Connections: 64, Detection: 1, Threshold: 0.9,
	}
}

// delayInside is from a process to another on the same node.
const delayInside = 10e-6

func uniform(nodes int, delay float64) [][]float64 {
	matrix := table[float64](nodes, nodes)
	for i := range matrix {
		for j := range matrix[i] {
			if matrix[i][j] = delay; i == j {
				matrix[i][j] = delayInside
			}
		}
	}
	return matrix
}

func table[T any](rows, columns int) [][]T {
	all := make([][]T, rows)
	for i := range all {
		all[i] = make([]T, columns)
	}
	return all
}

// Check returns an error for an invalid plan.
func (p Plan) Check() error {
	n, backends := len(p.Cores), 0
	for _, count := range p.Backends {
		backends += count
	}
	switch {
	case n == 0 || len(p.Backends) != n || len(p.Delay) != n:
		return errors.New("cores, backends and delay need an entry for each node")
	case backends == 0:
		return errors.New("no node has a backend")
	case (p.Rates == nil) == (p.Clients == nil):
		return errors.New("set either rates or clients")
	case p.Rates != nil && len(p.Rates) != n || p.Clients != nil && len(p.Clients) != n:
		return errors.New("rates or clients need an entry for each node")
	case !hasPositive(p.Rates) && !hasPositive(p.Clients):
		return errors.New("rates or clients must be at least 0, and above 0 at one node")
	case !(p.ServiceTime > 0) || !(p.For > 0) || !(p.Warmup >= 0) || !(p.Exchange > 0) || !(p.Detection >= 0):
		return errors.New("serviceTime, for and exchange must be above 0, warmup and detection at least 0")
	case p.PerConnection < 1 || p.PerConnection > 1 && p.Connections < 1:
		return errors.New("perConnection and connections must be at least 1")
	case p.Work != Constant && p.Work != Exponential && p.Work != Heavy:
		return fmt.Errorf("work is %q; give %s, %s or %s", p.Work, Constant, Exponential, Heavy)
	}
	if err := p.checkLimits(); err != nil {
		return err
	}
	return p.checkNodes(backends)
}

// hasPositive reports whether a value is above 0 and none is below, or no number.
func hasPositive[T int | float64](values []T) (found bool) {
	for _, value := range values {
		if !(value >= 0) {
			return false
		}
		found = found || value > 0
	}
	return found
}

func (p Plan) checkNodes(backends int) error {
	for i := range p.Cores {
		if !(p.Cores[i] > 0) || p.Backends[i] < 0 || len(p.Delay[i]) != len(p.Cores) {
			return fmt.Errorf("node %d: cores must be above 0, backends at least 0, and delays given to each node", i)
		}
		for _, delay := range p.Delay[i] {
			if !(delay > 0) {
				return fmt.Errorf("node %d: delays must be above 0", i)
			}
		}
	}
	for i, change := range p.Changes {
		if err := p.checkChange(change, backends); err != nil {
			return fmt.Errorf("change %d: %w", i, err)
		}
	}
	return nil
}

// limit applies what the plan has for a node.
func (p Plan) limit(c *cores, node int) {
	if p.InOrder {
		c.slots = int(math.Ceil(c.count))
	}
	if p.CPUPeriods != nil && p.CPUPeriods[node] > 0 {
		c.quota = quota{period: p.CPUPeriods[node], until: p.CPUPeriods[node], left: p.CPUPeriods[node] * c.count}
	}
}

func (p Plan) checkLimits() error {
	if p.CPUPeriods == nil {
		return nil
	}
	if len(p.CPUPeriods) != len(p.Cores) {
		return errors.New("cpuPeriods need an entry for each node")
	}
	for i, period := range p.CPUPeriods {
		if period != 0 && !(period >= shortestPeriod && period <= longestPeriod) {
			return fmt.Errorf("node %d: a CPU period is %g to %g seconds, or 0", i, shortestPeriod, longestPeriod)
		}
	}
	return nil
}

// Those that Linux accepts.
const (
	shortestPeriod = 0.001
	longestPeriod  = 1.0
)

func (p Plan) checkChange(change Change, backends int) error {
	indexes, valid := len(p.Cores), false
	switch change.What {
	case Speed:
		valid = change.Value > 0
	case Neighbour:
		valid = change.Value >= 0 && change.Value < 1
	case Rate:
		valid = change.Value >= 0 && p.Rates != nil
	case Kill:
		indexes, valid = backends, true
	}
	if !valid || change.Index < 0 || change.Index >= indexes || !(change.At >= 0) {
		return fmt.Errorf("%+v is invalid", change)
	}
	return nil
}
