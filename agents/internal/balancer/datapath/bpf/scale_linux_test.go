package bpf

import (
	"fmt"
	"net/netip"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/maglev"
	"fairlead.dev/agents/internal/cputime"
	"fairlead.dev/agents/internal/racing"
)

// large returns 1 000 services with 10 backends each.
func large() []datapath.Service {
	services := make([]datapath.Service, 1000)
	for i := range services {
		s := datapath.Service{
			Key:      datapath.Key{Address: netip.AddrFrom4([4]byte{192, 0, byte(2 + i/250), byte(i%250 + 1)}), Port: 80, Protocol: datapath.TCP},
			Delivery: datapath.Direct,
		}
		for j := range 10 {
			n := i*10 + j
			s.Backends = append(s.Backends, datapath.Backend{
				ID: fmt.Sprintf("backend-%05d", n), Address: netip.AddrFrom4([4]byte{10, 9, byte(16 + n/256), byte(n)}),
				Port: 80, Weight: 1, State: datapath.Active, Up: true,
			})
		}
		services[i] = s
	}
	return services
}

// Promise: 10 000 backends in 1 000 services are set within a second, both by a new engine and
// after all but one service were removed; one backend goes down within 100 ms, and a hundred
// services lose a backend each within 500 ms. This is CPU time of a processor that builds the
// tables of 1 000 services in 270 ms.
//
// Waiting takes no CPU time, so the removal of all but one service is measured by the clock: a
// wait in the kernel takes some 15 ms, so a wait per service would take 15 s; 5 s are allowed.
//
// Programs that share cores and caches slow down all computing, so each round also builds those
// tables and scales its results by that; the minimum of up to three rounds counts. At load 70 on
// two processors all were set in 0.48 s, set again in 0.62 s, one backend went down in 0.03 s, a
// hundred changed in 0.11 s, and all but one were removed in 0.2 s by the clock.
func TestTenThousandBackendsAreSetInASecond(t *testing.T) {
	const rounds = 3
	least := map[string]time.Duration{}
	for round := 1; round <= rounds && (round == 1 || len(broken(least)) > 0); round++ {
		t.Run(fmt.Sprintf("round %d", round), func(t *testing.T) {
			slower := slowdown()
			t.Logf("the processors are %.2f times as slow as the promise's", slower)
			for what, took := range setAndChange(t) {
				if what != removed {
					took = time.Duration(float64(took) / slower)
				}
				t.Logf("%s: %v", what, took)
				if before, known := least[what]; !known || took < before {
					least[what] = took
				}
			}
		})
	}
	for _, what := range broken(least) {
		t.Errorf("%s took %v, more than %v", what, least[what], racing.Slower*promises[what])
	}
}

const removed = "all but one service removed, by the clock"

// promises are the limits of each operation.
var promises = map[string]time.Duration{
	"all set": time.Second, "all set again": time.Second, "one backend down": 100 * time.Millisecond,
	"a backend less in each of 100": 500 * time.Millisecond, removed: 5 * time.Second,
}

func broken(least map[string]time.Duration) (broken []string) {
	for what, most := range promises {
		if least[what] > racing.Slower*most {
			broken = append(broken, what)
		}
	}
	return broken
}

// slowdown is how much longer the tables of 1 000 services take than on an idle
// processor, at least 1: there the fastest hundredth of 8 000 tables took 0.27 ms.
func slowdown() float64 {
	members := make([]maglev.Member, 10)
	for i := range members {
		members[i] = maglev.Member{ID: fmt.Sprint("backend-", i), Weight: 1}
	}
	took := cputime.Of(func() {
		for range 1000 {
			maglev.Build(members)
		}
	})
	return max(1, took.Seconds()/(racing.Slower*0.27))
}

// setAndChange measures a new engine once.
func setAndChange(t *testing.T) map[string]time.Duration {
	place := newPlace(t)
	must(t, place.AddAddress("eth0", netip.MustParsePrefix("10.9.0.1/16")))
	e := openAt(t, place, TCX, datapath.Options{})
	services := large()
	took := map[string]time.Duration{}
	took["all set"] = cputime.Of(func() {
		if changes := set(t, e, services...); changes < 11000 {
			t.Errorf("%d changes", changes)
		}
	})
	if changes := set(t, e, services...); changes != 0 {
		t.Errorf("an equal set made %d changes", changes)
	}
	services[500].Backends[3].Up = false
	took["one backend down"] = cputime.Of(func() {
		if changes := set(t, e, services...); changes != 2 {
			t.Errorf("one backend down made %d changes", changes)
		}
	})
	start := time.Now()
	if changes := set(t, e, services[0]); changes < 999 {
		t.Errorf("all but one service gone made %d changes", changes)
	}
	took[removed] = time.Since(start)
	if changes := set(t, e, services[0]); changes != 0 {
		t.Errorf("an equal set made %d changes", changes)
	}
	took["all set again"] = cputime.Of(func() { set(t, e, services...) })
	// Each lookup of old flows in a row compares the recent tables.
	took["a backend less in each of 100"] = cputime.Of(func() {
		for range 3 {
			for i := range services[:100] {
				services[i].Backends = services[i].Backends[1:]
			}
			set(t, e, services...)
		}
	}) / 3
	return took
}
