package bpf

import (
	"fmt"
	"net/netip"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/racing"
)

// large is 1 000 services with 10 backends each.
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

func TestTenThousandBackendsAreSetInASecond(t *testing.T) {
	place := newPlace(t)
	must(t, place.AddAddress("eth0", netip.MustParsePrefix("10.9.0.1/16")))
	e := openAt(t, place, TCX, datapath.Options{})
	services := large()
	began := cpu(t)
	if changes := set(t, e, services...); changes < 11000 {
		t.Errorf("%d changes", changes)
	}
	first := cpu(t) - began
	began = cpu(t)
	if changes := set(t, e, services...); changes != 0 {
		t.Errorf("an equal set made %d changes", changes)
	}
	again := cpu(t) - began
	services[500].Backends[3].Up = false
	began = cpu(t)
	if changes := set(t, e, services...); changes != 2 {
		t.Errorf("one backend down made %d changes", changes)
	}
	one := cpu(t) - began
	t.Logf("CPU time: first %v, again %v, one backend down %v", first, again, one)
	// Waiting takes no processor time, so only the clock shows it: the kernel waits some 15 ms where it waits.
	start := time.Now()
	if changes := set(t, e, services[0]); changes < 999 {
		t.Errorf("all but one service gone made %d changes", changes)
	}
	shrunk := time.Since(start)
	if changes := set(t, e, services[0]); changes != 0 {
		t.Errorf("an equal set made %d changes", changes)
	}
	t.Logf("all but one service gone after %v", shrunk)
	if shrunk > racing.Slower*5*time.Second {
		t.Errorf("all but one service gone after %v", shrunk)
	}
	began = cpu(t)
	set(t, e, services...)
	anew := cpu(t) - began
	// Each look for old flows in a row compares the tables of a moment ago.
	began = cpu(t)
	for range 3 {
		for i := range services[:100] {
			services[i].Backends = services[i].Backends[1:]
		}
		set(t, e, services...)
	}
	moved := (cpu(t) - began) / 3
	t.Logf("CPU time: all anew %v, a backend less in each of 100 %v", anew, moved)
	if anew > racing.Slower*time.Second || moved > racing.Slower*500*time.Millisecond {
		t.Errorf("too slow: all anew %v, a backend less in each of 100 %v", anew, moved)
	}
	if first > racing.Slower*time.Second || one > racing.Slower*100*time.Millisecond {
		t.Errorf("too slow: first %v, again %v, one backend down %v", first, again, one)
	}
}

// cpu is what this process used: other tests on the machine must not decide this one.
func cpu(t *testing.T) time.Duration {
	t.Helper()
	var used unix.Rusage
	must(t, unix.Getrusage(unix.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
