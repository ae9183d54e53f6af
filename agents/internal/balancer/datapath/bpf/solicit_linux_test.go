package bpf

import (
	"fmt"
	"math"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/neighbour"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/state"
)

// The neighbour table is shared by all of a machine's namespaces: a test that filled it
// would affect all others. So this test fakes the kernel's answer; the benchmark
// balancer-scale gets it from the kernel.
func TestAFullNeighbourTableIsReported(t *testing.T) {
	for _, hook := range []Hook{TCX, XDP} {
		t.Run(hook.Name, func(t *testing.T) {
			e := openAt(t, newPlace(t), hook, datapath.Options{})
			set(t, e, withSilent())
			crowded := func() []string {
				observed, err := e.Observe(t.Context())
				must(t, err)
				return slices.DeleteFunc(observed.Warnings, func(warning string) bool { return !strings.Contains(warning, "gc_thresh3") })
			}
			if reported := crowded(); len(reported) > 0 {
				t.Fatalf("warning for a table with room: %q", reported)
			}
			for _, c := range []struct{ address, want string }{{"10.9.0.7", "net.ipv4."}, {"fd00::7", "net.ipv6."}} {
				solicited := map[neighbour.Hop]bool{{Next: netip.MustParseAddr(c.address)}: true, {Next: netip.MustParseAddr(c.address).Next()}: true}
				tries := 0
				must(t, e.solicitEach(solicited, func(h neighbour.Hop) error {
					tries++
					return fmt.Errorf("solicit the link address of %s: %w", h.Next, unix.ENOBUFS)
				}))
				if reported := crowded(); tries != 1 || len(reported) != 1 || !strings.Contains(reported[0], c.want) {
					t.Errorf("after %d tries the warning is %q", tries, reported)
				}
			}
			must(t, e.solicitEach(map[neighbour.Hop]bool{{}: true}, func(neighbour.Hop) error { return nil }))
			if reported := crowded(); len(reported) > 0 {
				t.Errorf("still warned when there is room: %q", reported)
			}
		})
	}
}

// withSilent returns a service with a backend that doesn't answer solicitations.
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
	// A real wait takes that long each time, a busy machine only sometimes.
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

func TestLinkAddressesAreSolicitedAsRoomAllows(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, newService(service4, 80, datapath.TCP, datapath.Direct))
	e.mutex.Lock() // the kernel's neighbour updates arrive concurrently
	for i := range 3 * solicitMost {
		h := neighbour.Hop{Next: netip.AddrFrom4([4]byte{10, 8, byte(i >> 8), byte(i)}), Link: e.network.Index}
		e.model.Slots[uint16(1000+i)] = &state.Backend{Hop: h}
	}
	e.mutex.Unlock()
	now := time.Now()
	if n := len(e.toSolicit(now)); n != solicitMost {
		t.Errorf("%d are solicited at once, want %d", n, solicitMost)
	}
	if n := len(e.toSolicit(now.Add(solicitFor / 2))); n != 0 {
		t.Errorf("%d more are solicited without any answer", n)
	}
	e.mutex.Lock()
	for slot, b := range e.model.Slots {
		if _, solicited := e.solicited[b.Hop]; solicited && slot%2 == 0 { // half of them answer
			e.network.Note(netlink.Neigh{LinkIndex: e.network.Index, IP: b.Hop.Next.AsSlice(), HardwareAddr: macA, State: netlink.NUD_REACHABLE})
			b.Entry.Flags |= program.BackendResolved
		}
	}
	answered := solicitMost - len(e.solicitedSilent())
	e.mutex.Unlock()
	if n := len(e.toSolicit(now.Add(solicitFor / 2))); n != answered {
		t.Errorf("%d more are solicited when %d have answered", n, answered)
	}
	if n := len(e.toSolicit(now.Add(3 * solicitFor))); n != solicitMost {
		t.Errorf("%d are solicited after a while, want %d", n, solicitMost)
	}
}

func (e *Engine) solicitedSilent() (silent []neighbour.Hop) {
	for h := range e.solicited {
		if !e.network.IsNeighbour(h.Next) {
			silent = append(silent, h)
		}
	}
	return silent
}
