package policy

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"os"
	"testing"
)

// The golden values are from the prototype in which the strategy was chosen.
type goldenValue struct {
	Load, ServiceTime, Cores          float64
	InSystem, Slope, Settle, LoadCost float64
	Of                                [][2]float64 // requests, Δ
	Lasting                           [][3]float64 // requests, seconds, cost
}

func TestValuesEqualThoseOfThePrototype(t *testing.T) {
	text, err := os.ReadFile("testdata/values.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden []goldenValue
	if err := json.Unmarshal(text, &golden); err != nil {
		t.Fatal(err)
	}
	for _, want := range golden {
		t.Run(fmt.Sprintf("%g cores at load %g, %g s", want.Cores, want.Load, want.ServiceTime), func(t *testing.T) {
			var v Value
			v.Set(want.Load*want.Cores/want.ServiceTime, want.ServiceTime, want.Cores)
			near(t, "E[N]", v.inSystem, want.InSystem)
			near(t, "slope", v.slope, want.Slope)
			near(t, "settle", v.Settle(), want.Settle)
			near(t, "load", v.Load(), want.LoadCost)
			for _, of := range want.Of {
				near(t, fmt.Sprintf("Δ(%g)", of[0]), v.Of(of[0]), of[1])
			}
			for _, of := range want.Lasting {
				near(t, fmt.Sprintf("lasting %g s", of[1]), v.Lasting(of[0], of[1]), of[2])
			}
		})
	}
	if len(golden) < 300 {
		t.Errorf("%d golden cases", len(golden))
	}
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-9*math.Abs(want)) {
		t.Errorf("%s is %.15g, want %.15g", what, got, want)
	}
}

// everyNode calls with nodes of 1 to 256 cores at each load.
func everyNode(t *testing.T, call func(t *testing.T, v *Value)) {
	for _, cores := range []float64{1, 2, 3, 5, 8, 13, 24, 32, 48, 64, 65, 96, 128, 256} {
		for _, load := range []float64{0, 0.05, 0.2, 0.5, 0.75, 0.9, 5} {
			t.Run(fmt.Sprintf("%g cores at load %g", cores, load), func(t *testing.T) {
				const serviceTime = 0.004
				var v Value
				v.Set(load*cores/serviceTime, serviceTime, cores)
				call(t, &v)
			})
		}
	}
}

func TestValuesSolvePoissonsEquationForAnyNumberOfCores(t *testing.T) {
	everyNode(t, func(t *testing.T, v *Value) {
		exact := exactValues(v.rate, v.core, v.servers)
		for n, want := range exact {
			near(t, fmt.Sprintf("Δ(%d)", n), v.Of(float64(n)), want)
		}
	})
}

// exactValues solves the equation upward from 0 with enough digits for errors to grow.
func exactValues(rate, core float64, servers int) []float64 {
	number := func(x float64) *big.Float { return new(big.Float).SetPrec(4000).SetFloat64(x) }
	zero := func() *big.Float { return number(0) }
	busy := zero().Quo(number(rate), number(core))
	sum, term := number(0), number(1)
	for k := range servers {
		sum.Add(sum, term)
		term.Mul(term, zero().Quo(busy, number(float64(k+1))))
	}
	load := zero().Quo(busy, number(float64(servers)))
	idle := zero().Sub(number(1), load)
	wait := zero().Quo(term, idle)
	wait.Quo(wait, zero().Add(sum, wait))
	inSystem := zero().Add(busy, zero().Quo(zero().Mul(wait, load), idle))

	values := make([]float64, 2*servers+2)
	below := number(0)
	for n := range values {
		here := zero().Sub(inSystem, number(float64(n)))
		here.Add(here, zero().Mul(zero().Mul(number(float64(min(n, servers))), number(core)), below))
		below = here.Quo(here, number(rate))
		values[n], _ = below.Float64()
	}
	return values
}

func TestOneMoreRequestCostsMoreWhereMoreAre(t *testing.T) {
	everyNode(t, func(t *testing.T, v *Value) {
		for n := range 3 * v.servers {
			here, next := v.Of(float64(n)), v.Of(float64(n+1))
			rounding := 1e-14 * here // far below the number of cores, all are equal
			if !(here > 0 && next >= here-rounding) || n >= v.servers-1 && next <= here {
				t.Fatalf("Δ(%d) is %g and Δ(%d) is %g", n, here, n+1, next)
			}
			if between := v.Of(float64(n) + 0.5); !(between >= here-rounding && between <= next+rounding) {
				t.Fatalf("Δ(%d.5) is %g, between %g and %g", n, between, here, next)
			}
		}
	})
}

func TestTheQueueCountsLessTheLongerAConnectionLasts(t *testing.T) {
	everyNode(t, func(t *testing.T, v *Value) {
		last := 1.0
		for _, life := range []float64{0.001, 0.1, 1, 10, 1000} {
			now := v.weightOfNow(life * v.Settle())
			if !(now > 0 && now < last) {
				t.Errorf("weight %g for %g times the time to settle, %g for less", now, life, last)
			}
			last = now
		}
		full := float64(2 * v.servers)
		if got, want := v.Lasting(full, 1e-6*v.Settle()), v.Of(full); math.Abs(got-want) > 1e-3*want {
			t.Errorf("a short connection costs %g, a request %g", got, want)
		}
		if got, want := v.Lasting(full, 1e9*v.Settle()), v.Load(); math.Abs(got-want) > 1e-3*want {
			t.Errorf("a long connection costs %g, load %g", got, want)
		}
	})
}
