package ipvs_test

import (
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/moby/ipvs"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	fairleadipvs "fairlead.dev/agents/internal/balancer/datapath/ipvs"
	"fairlead.dev/agents/internal/vmtest"
)

// TestServicesOfOthersStay uses a namespace that another program uses too.
func TestServicesOfOthersStay(t *testing.T) {
	if !vmtest.Inside() {
		vmtest.Boot(t)
		return
	}
	network := datapathtest.NewNetwork(t, false)
	space, candidate := network.Balancers[0], fairleadipvs.Candidate()
	options := datapath.Options{Interface: datapathtest.Interface, Name: "replica"}
	ours := network.Service(datapath.Direct, "")
	theirs, nowhere := ours, ours
	theirs.Key.Port = datapathtest.ServicePorts[1]
	theirs.Backends = slices.Clone(ours.Backends)
	for i := range theirs.Backends {
		theirs.Backends[i].Port = theirs.Key.Port
	}
	nowhere.Key.Address = netip.MustParseAddr("198.51.100.1")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	has := func(want ...string) {
		t.Helper()
		var got []string
		must(space.Do(func() (err error) {
			got, err = leftovers()
			return err
		}))
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("IP_VS has %q, want %q", got, want)
		}
	}
	refuses := func(err error, wants string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), wants) {
			t.Fatalf("error %v doesn't contain %q", err, wants)
		}
	}
	preflight := func() error { return space.Do(func() error { return candidate.Preflight(options) }) }
	open := func() (engine datapath.Engine) {
		t.Helper()
		must(space.Do(func() (err error) {
			engine, err = candidate.Open(options)
			return err
		}))
		return engine
	}
	set := func(engine datapath.Engine, services ...datapath.Service) error {
		return space.Do(func() error {
			_, err := datapath.Whole(engine.Set(t.Context(), services))
			return err
		})
	}
	add := func(service *ipvs.Service) {
		t.Helper()
		must(space.Do(func() error { return change(func(h *ipvs.Handle) error { return h.NewService(service) }) }))
	}
	const oneOfOurs, oneOfTheirs, markedPackets = "IP_VS service 192.0.2.1 port 80", "IP_VS service 192.0.2.1 port 81", "IP_VS service <nil> port 0"

	add(&ipvs.Service{
		Address: net.IP(theirs.Key.Address.AsSlice()), Port: theirs.Key.Port, Protocol: unix.IPPROTO_TCP,
		SchedName: "rr", AddressFamily: unix.AF_INET, Netmask: 0xffffffff, Flags: 1, Timeout: 10800,
	})
	add(&ipvs.Service{FWMark: 7, SchedName: "rr", AddressFamily: unix.AF_INET, Netmask: 0xffffffff})
	refuses(preflight(), "another program")

	first := open()
	refuses(set(first, nowhere), "isn't this host's own")
	refuses(set(first, ours, theirs), "created by another program")
	must(first.Remove())
	has(oneOfTheirs, markedPackets)

	must(set(first, ours))
	has(oneOfOurs, oneOfTheirs, markedPackets)
	must(first.Close())
	must(preflight()) // a replica may run where it has run before

	second := open()
	refuses(set(second, ours, theirs), "created by another program")
	has(oneOfOurs, oneOfTheirs, markedPackets) // the state of a former process stays when the first Set fails
	must(set(second))
	has(oneOfTheirs, markedPackets)
	must(set(second, ours))
	must(second.Close())

	third := open()
	must(third.Remove())
	has(oneOfTheirs, markedPackets)
	must(third.Close())
}
