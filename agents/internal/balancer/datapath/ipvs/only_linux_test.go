package ipvs_test

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/moby/ipvs"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	fairleadipvs "fairlead.dev/agents/internal/balancer/datapath/ipvs"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/vmtest"
)

// TestWhatOnlyIPVSHas runs besides the contract, in user-mode Linux too.
func TestWhatOnlyIPVSHas(t *testing.T) {
	if !vmtest.Inside() {
		vmtest.Boot(t)
		return
	}
	network := datapathtest.NewNetwork(t, false)
	for _, scheduler := range fairleadipvs.Schedulers {
		t.Run("scheduler "+scheduler, func(t *testing.T) { spreads(t, network, scheduler) })
	}
	for _, c := range []struct {
		name  string
		spoil func(*datapath.Service)
		wants string
	}{
		{"unknown scheduler", func(s *datapath.Service) { s.Scheduler = "dice" }, `"dice"`},
		{"an address that isn't ours", func(s *datapath.Service) { s.Key.Address = netip.MustParseAddr("198.51.100.1") }, "ip route add local 198.51.100.1"},
		{"two backends at one address", func(s *datapath.Service) { s.Backends[1].Address = s.Backends[0].Address }, `"b"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			service := network.Service(datapath.Direct, "")
			c.spoil(&service)
			withEngine(t, network.Balancers[0], func(engine datapath.Engine) error {
				_, err := datapath.Whole(engine.Set(t.Context(), []datapath.Service{service}))
				if err == nil || !strings.Contains(err.Error(), c.wants) || !strings.Contains(err.Error(), service.Key.String()) {
					t.Errorf("error %v doesn't name %s and %s", err, service.Key, c.wants)
				}
				return nil
			})
		})
	}
}

// shares of thirty open connections, where the first backend has four times the weight of
// each of the others; nil: all connections of one client go to one backend.
var shares = map[string][]int{
	"rr": {10, 10, 10}, "lc": {10, 10, 10}, // which ignore weights
	"wrr": {20, 5, 5}, "wlc": {20, 5, 5}, "sed": {20, 5, 5}, "nq": {20, 5, 5}, "mh": {20, 5, 5},
	"sh": nil, "dh": nil,
}

// spreads sends requests through one of the kernel's schedulers.
func spreads(t *testing.T, network *datapathtest.Network, scheduler string) {
	service := network.Service(datapath.Direct, scheduler)
	service.Backends[0].Weight = 4
	withEngine(t, network.Balancers[0], func(engine datapath.Engine) error {
		if _, err := datapath.Whole(engine.Set(t.Context(), []datapath.Service{service})); err != nil {
			return err
		}
		return eachService(func(_ *ipvs.Handle, s *ipvs.Service) error {
			if s.SchedName != scheduler {
				t.Errorf("the kernel schedules by %s", s.SchedName)
			}
			return nil
		})
	})
	got := map[string]int{}
	for range 30 { // kept open: some schedulers count only those
		conn, err := datapathtest.Client{Space: network.Client}.Connect(service.Key)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		answer, err := conn.Request()
		if err != nil {
			t.Fatal(err)
		}
		got[answer.Backend]++
	}
	want, known := shares[scheduler]
	if !known {
		t.Fatal("no expected shares for this scheduler")
	}
	if want == nil && len(got) != 1 {
		t.Errorf("connections of one client went to %v", got)
	}
	off := 2
	if scheduler == "mh" { // which hashes the client's port, so the shares are random
		off = 11
	}
	for i, share := range want {
		if backend := service.Backends[i].ID; got[backend] < share-off || got[backend] > share+off {
			t.Errorf("connections went to %v, want about %d at %s", got, share, backend)
		}
	}
}

// withEngine opens an engine that is removed when the test ends.
func withEngine(t *testing.T, space *netspace.Space, do func(datapath.Engine) error) {
	t.Helper()
	err := space.Do(func() error {
		engine, err := fairleadipvs.Candidate().Open(datapath.Options{Interface: datapathtest.Interface})
		if err != nil {
			return err
		}
		t.Cleanup(func() {
			if err := engine.Remove(); err != nil {
				t.Error(err)
			}
			_ = engine.Close()
		})
		return do(engine)
	})
	if err != nil {
		t.Fatal(err)
	}
}
