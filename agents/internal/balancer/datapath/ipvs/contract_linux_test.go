package ipvs_test

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/moby/ipvs"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	fairleadipvs "fairlead.dev/agents/internal/balancer/datapath/ipvs"
	"fairlead.dev/agents/internal/genetlink"
	"fairlead.dev/agents/internal/vmtest"
)

func TestContract(t *testing.T) {
	if !vmtest.Inside() {
		vmtest.Boot(t)
		return
	}
	datapathtest.Run(t, datapathtest.Subject{
		Candidate: fairleadipvs.Candidate(),
		FlowsOn:   true, SeesLive: true, MovesOnSYN: true,
		Prepare:   prepareBackends,
		Leftovers: leftovers,
		Damages: []datapathtest.Damage{
			{Name: "everything flushed", Do: func(datapath.Options) error { return change((*ipvs.Handle).Flush) }},
			{Name: "a service deleted", Do: func(datapath.Options) error {
				return eachService(func(h *ipvs.Handle, s *ipvs.Service) error { return h.DelService(s) })
			}},
			{Name: "weights and backends changed", Do: func(datapath.Options) error {
				return eachService(func(h *ipvs.Handle, s *ipvs.Service) error {
					backends, err := h.GetDestinations(s)
					if err != nil || len(backends) != 3 {
						return fmt.Errorf("%d backends: %w", len(backends), err)
					}
					backends[0].Weight = 0
					return errors.Join(h.UpdateDestination(s, backends[0]), h.DelDestination(s, backends[1]))
				})
			}},
		},
	})
}

// prepareBackends lets backends unwrap tunnelled packets, and routes their replies
// through the balancer where it has to rewrite them.
func prepareBackends(t *testing.T, network *datapathtest.Network) {
	for _, backend := range network.Backends {
		switch network.Delivery {
		case datapath.Tunnel:
			for _, tunnel := range []string{"tunl0", "ip6tnl0"} {
				if err := backend.Space.Up(tunnel); err != nil {
					t.Fatal(err)
				}
			}
		case datapath.NAT:
			for from, to := range map[string]string{"0.0.0.0/0": "10.77.0.2", "::/0": "fd77::2"} {
				prefix := netip.MustParsePrefix(from)
				if err := backend.Space.AddRoute(prefix, netip.MustParseAddr(to)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

func leftovers() (lines []string, err error) {
	err = eachService(func(_ *ipvs.Handle, s *ipvs.Service) error {
		lines = append(lines, fmt.Sprintf("IP_VS service %s port %d", s.Address, s.Port))
		return nil
	})
	return lines, err
}

func change(do func(*ipvs.Handle) error) error {
	handle, err := ipvs.New("")
	if err != nil {
		return err
	}
	defer handle.Close()
	return do(handle)
}

func eachService(do func(*ipvs.Handle, *ipvs.Service) error) error {
	return change(func(h *ipvs.Handle) error {
		services, err := h.GetServices()
		for _, service := range services {
			err = errors.Join(err, do(h, service))
		}
		return err
	})
}

func TestPreflightReportsWhatIsMissing(t *testing.T) {
	err := fairleadipvs.Candidate().Preflight(datapath.Options{Interface: "lo"})
	if missing := genetlink.Request("IPVS"); missing == nil {
		if err != nil {
			t.Fatalf("this kernel has IP_VS, but preflight returns %v", err)
		}
		return
	}
	if err == nil || !strings.Contains(err.Error(), "this kernel has no IP_VS") || !strings.Contains(err.Error(), "ip_vs") {
		t.Fatalf("preflight returns %v", err)
	}
}
