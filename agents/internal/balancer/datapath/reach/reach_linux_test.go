package reach_test

import (
	"fmt"
	"net/netip"
	"os"
	"reflect"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/reach"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/privileged"
)

func TestABackendWithoutAPathIsDownAndTheReasonNamed(t *testing.T) {
	privileged.Need(t)
	spaces := [2]*netspace.Space{}
	for i := range spaces {
		space, err := netspace.New(fmt.Sprintf("flreach%d-%d", os.Getpid(), i))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = space.Delete() })
		spaces[i] = space
	}
	end := func(i int, prefix string) netspace.End {
		return netspace.End{Space: spaces[i], Interface: "eth0", Addresses: []netip.Prefix{netip.MustParsePrefix(prefix)}}
	}
	if err := netspace.Connect(end(0, "10.0.0.1/24"), end(1, "10.0.0.2/24")); err != nil {
		t.Fatal(err)
	}
	if err := spaces[0].AddRoute(netip.MustParsePrefix("10.1.0.0/24"), netip.MustParseAddr("10.0.0.2")); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name     string
		delivery datapath.Delivery
		address  string
		state    datapath.State
		reason   string
	}{
		{"on the link", datapath.Direct, "10.0.0.9", datapath.Active, ""},
		{"this host", datapath.Proxy, "127.0.0.1", datapath.Active, ""},
		{"behind a router", datapath.NAT, "10.1.0.9", datapath.Active, ""},
		{"behind a router, direct", datapath.Direct, "10.1.0.9", datapath.Active, `is behind the router 10.0.0.2, and delivery "direct" reaches only the same network; give "tunnel" or "nat"`},
		{"nowhere", datapath.NAT, "10.2.0.9", datapath.Draining, "has no route: network is unreachable"},
		{"nowhere, IPv6", datapath.Proxy, "fd99::9", datapath.Active, "has no route: network is unreachable"},
		{"nowhere, inactive", datapath.NAT, "10.2.0.9", datapath.Inactive, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			backend := datapath.Backend{ID: "a", Address: netip.MustParseAddr(test.address), State: test.state, Up: true}
			services := []datapath.Service{{Delivery: test.delivery, Backends: []datapath.Backend{backend}}}
			var marked []datapath.Service
			var failures []datapath.Failure
			if err := spaces[0].Do(func() (err error) {
				marked, failures, err = reach.Mark(services)
				return err
			}); err != nil {
				t.Fatal(err)
			}
			var want []datapath.Failure
			if test.reason != "" {
				want = []datapath.Failure{{Backend: "a", Reason: test.reason}}
			}
			if !reflect.DeepEqual(failures, want) || marked[0].Backends[0].Up != (want == nil) || !services[0].Backends[0].Up {
				t.Errorf("failures %+v, marked %+v", failures, marked)
			}
		})
	}
}
