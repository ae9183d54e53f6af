package ipvs_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/moby/ipvs"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	"fairlead.dev/agents/internal/vmtest"
)

// TestAServiceThatCantBeChangedStaysWithItsHealthOfNow unloads a scheduler's module, which
// nothing loads again.
func TestAServiceThatCantBeChangedStaysWithItsHealthOfNow(t *testing.T) {
	if !vmtest.Inside() {
		vmtest.Boot(t)
		return
	}
	if err := unix.DeleteModule("ip_vs_sed", 0); err != nil {
		t.Fatal(err)
	}
	network := datapathtest.NewNetwork(t, false)
	first := network.Service(datapath.Direct, "rr")
	next := network.Service(datapath.Direct, "sed")
	next.Backends = slices.Clone(next.Backends[:2]) // without c
	next.Backends[0].Up = false
	withEngine(t, network.Balancers[0], func(engine datapath.Engine) error {
		if _, err := datapath.Whole(engine.Set(t.Context(), []datapath.Service{first})); err != nil {
			return err
		}
		for _, changes := range []int{1, 0} { // the weight of a
			outcome, err := engine.Set(t.Context(), []datapath.Service{next})
			if err != nil {
				return err
			}
			if len(outcome.Failures) != 1 || !outcome.Failures[0].Previous || !strings.Contains(outcome.Failures[0].Reason, `no scheduler "sed"`) || outcome.Changes != changes {
				t.Errorf("with an unknown scheduler: %+v, want %d changes", outcome, changes)
			}
			if got := weights(t); got != "rr [0 1 1]" {
				t.Errorf("the kernel has %s", got)
			}
		}
		observed, err := engine.Observe(t.Context())
		if err != nil {
			return err
		}
		if len(observed.Services) != 1 || len(observed.Services[0].Backends) != 3 {
			t.Errorf("observed is %+v, want the service as before", observed.Services)
		}
		next.Scheduler = "wrr"
		if _, err := datapath.Whole(engine.Set(t.Context(), []datapath.Service{next})); err != nil {
			return err
		}
		if got := weights(t); got != "wrr [0 1]" {
			t.Errorf("later the kernel has %s", got)
		}
		return nil
	})
}

// weights returns the scheduler of the only service, and the weights of its backends.
func weights(t *testing.T) (text string) {
	t.Helper()
	err := eachService(func(h *ipvs.Handle, s *ipvs.Service) error {
		backends, err := h.GetDestinations(s)
		slices.SortFunc(backends, func(a, b *ipvs.Destination) int { return strings.Compare(a.Address.String(), b.Address.String()) })
		var all []int
		for _, backend := range backends {
			all = append(all, backend.Weight)
		}
		text += fmt.Sprint(s.SchedName, " ", all)
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return text
}
