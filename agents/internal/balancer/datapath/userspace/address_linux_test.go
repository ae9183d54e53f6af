package userspace

import (
	"fmt"
	"net"
	"net/netip"
	"os"
	"strings"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/privileged"
)

func TestAServiceWhosePortIsInUseLeavesTheOthersAndNoAddressBehind(t *testing.T) {
	privileged.Need(t)
	space, err := netspace.New(fmt.Sprintf("fluser%d", os.Getpid()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = space.Delete() })
	err = space.Do(func() error {
		taken, err := net.Listen("tcp", "0.0.0.0:8081")
		if err != nil {
			return err
		}
		defer taken.Close()
		at := func(address string, port uint16) datapath.Service {
			return datapath.Service{Key: datapath.Key{Address: netip.MustParseAddr(address), Port: port, Protocol: datapath.TCP}, Delivery: datapath.Proxy}
		}
		e := open(datapath.Options{})
		good, bad := at("192.0.2.1", 8080), at("192.0.2.2", 8081)
		for _, changes := range []int{3, 0} { // a listener, its spec, its address
			outcome, err := e.Set(t.Context(), []datapath.Service{good, bad})
			if err != nil {
				return err
			}
			if outcome.Changes != changes || len(outcome.Failures) != 1 || outcome.Failures[0].Service != bad.Key || !strings.Contains(outcome.Failures[0].Reason, "address already in use") {
				t.Errorf("with a port in use: %+v", outcome)
			}
			expectOurs(t, 1)
		}
		if err := taken.Close(); err != nil {
			return err
		}
		if _, err := datapath.Whole(e.Set(t.Context(), []datapath.Service{good, bad})); err != nil {
			return err
		}
		expectOurs(t, 2)
		err = e.Remove()
		expectOurs(t, 0)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func expectOurs(t *testing.T, want int) {
	t.Helper()
	if ours, err := ourRoutes(); err != nil || len(ours) != want {
		t.Errorf("%d addresses were added by this engine, want %d (%v)", len(ours), want, err)
	}
}
