package policy

import "math"

const (
	// mostServers limits the table. A node with more cores counts as this many faster ones.
	mostServers = 256

	// leastLoad and mostLoad limit the utilization that is calculated with. At 0.95 in place of 0.9, nodes
	// that are nearly full attract too many requests from far away.
	leastLoad, mostLoad = 0.02, 0.9

	// beyondPrice makes load above mostLoad dearer for connections that last.
	beyondPrice = 20
)

// Value is what one more request costs at a node that serves n others: the seconds that it takes, and that
// all requests, later ones too, wait longer because of it. It is the difference of relative values of the
// M/M/c queue, which also holds for other distributions if requests share the cores equally. It solves
// Poisson's equation, with λ requests per second, c cores that serve µ per second each, and E[N] requests in
// the system:
//
//	E[N] = n + λ·Δ(n) − min(n, c)·µ·Δ(n−1),  Δ(−1) = 0
//	Δ(n) = (n + cµ/(cµ−λ) − E[N]) / (cµ−λ)   from n = c−1 on
//
// To send each request to the least round trip + Δ is one step of policy improvement (Krishnan 1987).
type Value struct {
	steps    [mostServers]float64 // Δ(0) … Δ(servers−1)
	servers  int
	core     float64 // requests per second of one server
	given    float64 // requests per second
	rate     float64 // and as calculated with
	line     float64 // where the straight line would meet n = 0
	slope    float64 // of that line
	inSystem float64 // E[N]
}

// Set calculates the value function of a node: requests per second, seconds of one core that a request
// takes, and cores, which need not be whole.
func (v *Value) Set(rate, serviceTime, cores float64) {
	v.servers = min(max(1, int(cores+0.5)), mostServers)
	v.core = cores / serviceTime / float64(v.servers)
	all := v.capacity()
	v.given, v.rate = rate, min(max(rate, leastLoad*all), mostLoad*all)
	v.inSystem = inSystem(v.rate, v.core, v.servers)
	v.slope = 1 / (all - v.rate)
	v.line = (all*v.slope - v.inSystem) * v.slope
	v.fill()
}

func (v *Value) capacity() float64 { return v.core * float64(v.servers) }

// fill solves Poisson's equation upward from 0 while fewer requests are there than cores are busy on average,
// and downward from the straight line for the others. In the other direction errors of rounding grow
// with each step: at 128 cores and little load they would be all that is left.
func (v *Value) fill() {
	last := v.servers - 1
	busy := min(int(v.rate/v.core), last-1)
	perRate, perCore := 1/v.rate, 1/v.core
	below := 0.0
	for n := 0; n <= busy; n++ {
		below = (v.inSystem-float64(n))*perRate + float64(n)*v.core*perRate*below
		v.steps[n] = below
	}
	above := v.line + float64(last)*v.slope
	v.steps[last] = above
	for n := last; n > busy+1; n-- {
		each := perCore / float64(n)
		above = (float64(n)-v.inSystem)*each + v.rate*each*above
		v.steps[n-1] = above
	}
}

// Of returns Δ(n). It interpolates, because n is an estimate.
func (v *Value) Of(n float64) float64 {
	if n >= float64(v.servers-1) {
		return v.line + n*v.slope
	}
	whole := int(n)
	return v.steps[whole] + (v.steps[whole+1]-v.steps[whole])*(n-float64(whole))
}

// Settle is in how many seconds a deviation from E[N] fades to 1/e.
func (v *Value) Settle() float64 {
	idle := 1 - math.Sqrt(v.rate/v.capacity())
	return 1 / (v.capacity() * idle * idle)
}

// Load is the cost of one more request per second forever: dE[N]/dλ.
func (v *Value) Load() float64 {
	all := v.capacity()
	step := 1e-3 * all
	load := (inSystem(v.rate+step, v.core, v.servers) - inSystem(v.rate-step, v.core, v.servers)) / (2 * step)
	if v.given > v.rate {
		load *= 1 + beyondPrice*(v.given-v.rate)/all
	}
	return load
}

// weightOfNow is the share of today's queue in the cost of a connection that lasts so many seconds. The rest
// is that of the load that it adds.
func (v *Value) weightOfNow(life float64) float64 {
	settle := v.Settle()
	return settle / life * -math.Expm1(-life/settle)
}

// Lasting returns the cost of a connection that lasts so many seconds, for each of its requests.
func (v *Value) Lasting(n, life float64) float64 {
	now := v.weightOfNow(life)
	return now*v.Of(n) + (1-now)*v.Load()
}

// inSystem is E[N] of M/M/c, by Erlang's formulas. The recursion gives 1 / the probability that all servers are
// busy where requests don't wait. It may become infinite, which is right.
func inSystem(rate, core float64, servers int) float64 {
	busy := rate / core
	rarity, perBusy := 1.0, 1/busy
	for k := 1; k <= servers; k++ {
		rarity = 1 + float64(k)*perBusy*rarity
	}
	load := busy / float64(servers)
	blocked := 1 / rarity
	waiting := blocked / (1 - load*(1-blocked))
	return busy + waiting*load/(1-load)
}
