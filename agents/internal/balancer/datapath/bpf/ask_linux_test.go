package bpf

import (
	"fmt"
	"math"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// The table of neighbours is one for all of a machine's namespaces: a test that filled
// it would take the neighbours of all others. So the kernel's answer is given here;
// the benchmark balancer-scale gets it from the kernel.
func TestATableOfNeighboursWithoutRoomIsSaid(t *testing.T) {
	for _, hook := range []Hook{TCX, XDP} {
		t.Run(hook.Name, func(t *testing.T) {
			e := openAt(t, newPlace(t), hook, datapath.Options{})
			set(t, e, withSilent())
			crowded := func() []string {
				observed, err := e.Observe(t.Context())
				must(t, err)
				return slices.DeleteFunc(observed.Warnings, func(warning string) bool { return !strings.Contains(warning, "gc_thresh3") })
			}
			if said := crowded(); len(said) > 0 {
				t.Fatalf("said of a table with room: %q", said)
			}
			for _, c := range []struct{ address, want string }{{"10.9.0.7", "net.ipv4."}, {"fd00::7", "net.ipv6."}} {
				asked := map[hop]bool{{next: netip.MustParseAddr(c.address)}: true, {next: netip.MustParseAddr(c.address).Next()}: true}
				tries := 0
				must(t, e.askEach(asked, func(h hop) error {
					tries++
					return fmt.Errorf("ask for the link address of %s: %w", h.next, unix.ENOBUFS)
				}))
				if said := crowded(); tries != 1 || len(said) != 1 || !strings.Contains(said[0], c.want) {
					t.Errorf("after %d tries it says %q", tries, said)
				}
			}
			must(t, e.askEach(map[hop]bool{{}: true}, func(hop) error { return nil }))
			if said := crowded(); len(said) > 0 {
				t.Errorf("still said when there is room: %q", said)
			}
		})
	}
}

// withSilent has a backend that nobody finds on the network.
func withSilent() datapath.Service {
	s := newService(service4, 80, datapath.TCP, datapath.Direct)
	s.Backends = append(s.Backends, datapath.Backend{ID: "c", Address: backends4[0].Next().Next().Next(), Port: 80, Weight: 1, State: datapath.Active, Up: true})
	return s
}

func TestASilentBackendDelaysNoLaterChange(t *testing.T) {
	e := openAt(t, newPlace(t), XDP, datapath.Options{})
	silent := withSilent()
	began := time.Now()
	set(t, e, silent)
	if took := time.Since(began); took < answerWithin {
		t.Errorf("a new backend was waited for only %v", took)
	}
	// Whoever waits takes that long each time, and a busy machine only sometimes.
	least := time.Duration(math.MaxInt64)
	for range 5 {
		silent.Backends[0].Up = !silent.Backends[0].Up
		began = time.Now()
		set(t, e, silent)
		least = min(least, time.Since(began))
	}
	if least >= answerWithin {
		t.Errorf("it was waited for again: %v", least)
	}
}

func TestHostsAreAskedForAsRoomAllows(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, newService(service4, 80, datapath.TCP, datapath.Direct))
	e.mutex.Lock() // the kernel's news of neighbours comes meanwhile
	for i := range 3 * asksMost {
		h := hop{next: netip.AddrFrom4([4]byte{10, 8, byte(i >> 8), byte(i)}), link: e.network.index}
		e.model.slots[uint16(1000+i)] = &backend{hop: h}
	}
	e.mutex.Unlock()
	now := time.Now()
	if n := len(e.toAsk(now)); n != asksMost {
		t.Errorf("%d are asked for at once, want %d", n, asksMost)
	}
	if n := len(e.toAsk(now.Add(asksStand / 2))); n != 0 {
		t.Errorf("%d more are asked for, where nobody answered", n)
	}
	e.mutex.Lock()
	for slot, b := range e.model.slots {
		if _, asked := e.asked[b.hop]; asked && slot%2 == 0 { // half of them answer
			e.network.neighbour[b.hop.next] = neighbour{link: e.network.index}
			b.entry.Flags |= resolved
		}
	}
	answered := asksMost - len(e.askedSilent())
	e.mutex.Unlock()
	if n := len(e.toAsk(now.Add(asksStand / 2))); n != answered {
		t.Errorf("%d more are asked for when %d have answered", n, answered)
	}
	if n := len(e.toAsk(now.Add(3 * asksStand))); n != asksMost {
		t.Errorf("%d are asked for after a while, want %d", n, asksMost)
	}
}

func (e *Engine) askedSilent() (silent []hop) {
	for h := range e.asked {
		if _, answered := e.network.neighbour[h.next]; !answered {
			silent = append(silent, h)
		}
	}
	return silent
}
