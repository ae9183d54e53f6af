package bpf

import (
	"fmt"
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
			set(t, e, newService(service4, 80, datapath.TCP, datapath.Direct))
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
			must(t, e.askEach(map[hop]bool{}, nil))
			if said := crowded(); len(said) > 0 {
				t.Errorf("still said when there is room: %q", said)
			}
		})
	}
}

func TestASilentBackendDelaysNoLaterChange(t *testing.T) {
	e := openAt(t, newPlace(t), XDP, datapath.Options{})
	silent := newService(service4, 80, datapath.TCP, datapath.Direct)
	silent.Backends = append(silent.Backends, datapath.Backend{ID: "c", Address: backends4[0].Next().Next().Next(), Port: 80, Weight: 1, State: datapath.Active, Up: true})
	began := time.Now()
	set(t, e, silent)
	if took := time.Since(began); took < answerWithin {
		t.Errorf("a new backend was waited for only %v", took)
	}
	silent.Backends[0].Up = false
	began = time.Now()
	set(t, e, silent)
	if took := time.Since(began); took >= answerWithin {
		t.Errorf("it was waited for again: %v", took)
	}
}
