package nftables_test

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"syscall"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
)

func TestPacketsWithoutABackendAreCountedAtTheirService(t *testing.T) {
	for _, delivery := range []datapath.Delivery{datapath.Direct, datapath.NAT} {
		t.Run(string(delivery), func(t *testing.T) {
			network, engine := carry(t, 1024, datapath.TCP)
			full, empty := network.Service(delivery, ""), network.Service(delivery, "")
			empty.Key.Port, empty.Backends = datapathtest.ServicePorts[1], nil
			set := func(services ...datapath.Service) {
				t.Helper()
				if err := network.Balancers[0].Do(func() error {
					_, err := datapath.Whole(engine.Set(t.Context(), services))
					return err
				}); err != nil {
					t.Fatal(err)
				}
			}
			counted := func() string {
				observed := observe(t, engine)
				return fmt.Sprint(observed.Services[0].Drops, observed.Services[1].Drops, observed.AllDrops()["no_backend"])
			}
			client := datapathtest.Client{Space: network.Client}
			set(full, empty)
			for range 3 {
				if _, err := client.RequestOnce(empty.Key); !errors.Is(err, syscall.ECONNREFUSED) {
					t.Errorf("a client received %v", err)
				}
				if _, err := client.RequestOnce(full.Key); err != nil {
					t.Error(err)
				}
			}
			if got, want := counted(), "map[no_backend:0] map[no_backend:3] 3"; got != want {
				t.Errorf("counted is %s, want %s", got, want)
			}
			full.Backends = slices.Clone(full.Backends) // the engine has the old slice
			for i := range full.Backends {
				full.Backends[i].State = datapath.Draining
			}
			set(full, empty)
			if _, err := client.RequestOnce(full.Key); !errors.Is(err, syscall.ECONNREFUSED) {
				t.Errorf("a client received %v", err)
			}
			if got, want := counted(), "map[no_backend:1] map[no_backend:3] 4"; got != want {
				t.Errorf("after a change counted is %s, want %s", got, want)
			}
		})
	}
}

// A Kubernetes node doesn't have a service's address, and would send such a packet to its
// own router.
func TestByNATAHostWithoutTheAddressRejectsPacketsWithoutABackend(t *testing.T) {
	network, engine := carry(t, 1024, datapath.TCP)
	network.Disown(t, 0)
	var services []datapath.Service
	for _, protocol := range []datapath.Protocol{datapath.TCP, datapath.UDP} {
		ipv4 := network.Service(datapath.NAT, "")
		ipv4.Key.Protocol, ipv4.Backends = protocol, nil
		ipv6 := ipv4
		ipv6.Key.Address = netip.MustParseAddr("2001:db8::1")
		services = append(services, ipv4, ipv6)
	}
	if err := network.Balancers[0].Do(func() error {
		_, err := datapath.Whole(engine.Set(t.Context(), services))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	client := datapathtest.Client{Space: network.Client}
	for _, service := range services {
		if _, err := client.RequestOnce(service.Key); !errors.Is(err, syscall.ECONNREFUSED) {
			t.Errorf("%s: a client received %v", service.Key, err)
		}
	}
}
