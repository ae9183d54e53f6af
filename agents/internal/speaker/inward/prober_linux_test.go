package inward_test

import (
	"context"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	"fairlead.dev/agents/internal/balancer/datapath/nftables"
	"fairlead.dev/agents/internal/balancer/datapath/tcx"
	"fairlead.dev/agents/internal/balancer/datapath/xdp"
	"fairlead.dev/agents/internal/privileged"
	"fairlead.dev/agents/internal/speaker/inward"
	"fairlead.dev/agents/internal/speaker/inward/inwardtest"
)

// A probe takes the path of a client's packet: it succeeds while the data path and a backend work,
// and fails without either.
func TestProbesUseTheDataPath(t *testing.T) {
	privileged.Need(t)
	for _, c := range []struct {
		name      string
		candidate datapath.Candidate
		delivery  datapath.Delivery
	}{
		{"tcx, direct", tcx.Candidate, datapath.Direct},
		{"tcx, NAT", tcx.Candidate, datapath.NAT},
		{"xdp, direct", xdp.Candidate, datapath.Direct},
		{"nftables, direct", nftables.Candidate(), datapath.Direct},
		{"nftables, NAT", nftables.Candidate(), datapath.NAT},
	} {
		t.Run(c.name, func(t *testing.T) {
			network := datapathtest.NewNetwork(t, false)
			if c.candidate.Name == xdp.Candidate.Name {
				prepare(t, network)
			}
			replica := network.Balancers[0]
			if c.delivery == datapath.NAT && c.candidate.Name == nftables.Candidate().Name {
				must(t, replica.SetSysctl("net/ipv4/conf/"+datapathtest.Interface+"/accept_local", "1"))
			}
			// Few ports, so that probes of known UDP flows would occur.
			must(t, replica.SetSysctl("net/ipv4/ip_local_port_range", "40000 40007"))
			services := services(network, c.delivery)
			var engine datapath.Engine
			var prober *inward.Prober
			must(t, replica.Do(func() (err error) {
				engine, err = c.candidate.Open(datapath.Options{Interface: datapathtest.Interface, Name: "probed"})
				if err == nil {
					prober, err = inward.Open(datapathtest.Interface)
				}
				return err
			}))
			t.Cleanup(func() {
				must(t, prober.Close())
				must(t, replica.Do(func() error { return engine.Remove() }))
				must(t, engine.Close())
			})
			probe := func(service datapath.Service, within time.Duration) (err error) {
				must(t, replica.Do(func() error {
					soon, cancel := context.WithTimeout(t.Context(), within)
					defer cancel()
					err = prober.Probe(soon, inwardtest.Target(service.Key))
					return nil
				}))
				return err
			}
			set := func(services []datapath.Service) {
				t.Helper()
				must(t, replica.Do(func() error { _, err := datapath.Whole(engine.Set(t.Context(), services)); return err }))
			}
			for _, service := range services {
				if err := probe(service, 200*time.Millisecond); err == nil {
					t.Errorf("%s: succeeded without a data path", service.Key)
				}
			}
			set(services)
			for _, service := range services {
				for range 3 {
					if err := probe(service, 5*time.Second); err != nil {
						t.Errorf("%s: %v", service.Key, err)
					}
				}
			}
			services = slices.Clone(services)
			for i := range services {
				services[i].Backends = slices.Clone(services[i].Backends) // the engine holds the previous slice
				for j := range services[i].Backends {
					services[i].Backends[j].Up = false
				}
			}
			set(services)
			for _, service := range services {
				if err := probe(service, 200*time.Millisecond); err == nil {
					t.Errorf("%s: succeeded without a backend", service.Key)
				}
			}
		})
	}
}

func TestErrorWithoutAnAnswer(t *testing.T) {
	privileged.Need(t)
	network := datapathtest.NewNetwork(t, false)
	var err error
	must(t, network.Balancers[0].Do(func() error {
		prober, openErr := inward.Open(datapathtest.Interface)
		if openErr != nil {
			return openErr
		}
		defer prober.Close()
		soon, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		err = prober.Probe(soon, inwardtest.Target(network.Service(datapath.Direct, "").Key))
		return nil
	}))
	if err == nil || !strings.Contains(err.Error(), "no answer within") {
		t.Errorf("error %v", err)
	}
}

// services of both families and protocols, in order.
func services(network *datapathtest.Network, delivery datapath.Delivery) (services []datapath.Service) {
	six := netip.MustParseAddr("2001:db8::1")
	for _, v4 := range []bool{true, false} {
		for _, protocol := range []datapath.Protocol{datapath.TCP, datapath.UDP} {
			service := network.Service(delivery, "")
			service.Key.Protocol = protocol
			service.Backends = slices.Clone(service.Backends)
			for i := range service.Backends {
				if !v4 {
					service.Key.Address, service.Backends[i].Address = six, network.Backends[i].IPv6
				}
			}
			services = append(services, service)
		}
	}
	return services
}

// prepare lets the peer of the replica's link receive frames that XDP sends.
func prepare(t *testing.T, network *datapathtest.Network) {
	t.Helper()
	must(t, network.Router.Do(func() error {
		peer, err := xdp.PreparePeer("balancer1")
		if err == nil {
			t.Cleanup(func() { must(t, peer.Close()) })
		}
		return err
	}))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
