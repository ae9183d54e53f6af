package userspace

import (
	"fmt"
	"net"
	"net/netip"
	"os"
	"strings"
	"testing"

	"github.com/vishvananda/netlink"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/privileged"
)

func at(address string, port uint16) datapath.Service {
	return datapath.Service{Key: datapath.Key{Address: netip.MustParseAddr(address), Port: port, Protocol: datapath.TCP}, Delivery: datapath.Proxy}
}

// inSpace runs a test in a network namespace of its own.
func inSpace(t *testing.T, test func(*netspace.Space) error) {
	t.Helper()
	privileged.Need(t)
	space, err := netspace.New(fmt.Sprintf("fluser%d", os.Getpid()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = space.Delete() })
	if err := space.Do(func() error { return test(space) }); err != nil {
		t.Fatal(err)
	}
}

func TestAServiceWhosePortIsInUseLeavesTheOthersAndNoAddressBehind(t *testing.T) {
	inSpace(t, func(*netspace.Space) error {
		taken, err := net.Listen("tcp", "0.0.0.0:8081")
		if err != nil {
			return err
		}
		defer taken.Close()
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
}

// A change of routes causes another Set.
func TestAServiceWhosePortIsInUseChangesNoRoute(t *testing.T) {
	inSpace(t, func(*netspace.Space) error {
		taken, err := net.Listen("tcp", "0.0.0.0:8081")
		if err != nil {
			return err
		}
		defer taken.Close()
		routes, done := make(chan netlink.RouteUpdate, 64), make(chan struct{})
		defer close(done)
		if err := netlink.RouteSubscribe(routes, done); err != nil {
			return err
		}
		e := open(datapath.Options{})
		for range 2 {
			if outcome, err := e.Set(t.Context(), []datapath.Service{at("192.0.2.2", 8081)}); err != nil || len(outcome.Failures) != 1 {
				t.Errorf("with a port in use: %+v, %v", outcome, err)
			}
		}
		last := localRoute(netip.MustParseAddr("192.0.2.3"))
		if err := netlink.RouteAdd(last); err != nil {
			return err
		}
		for update := range routes {
			if update.Dst.String() == last.Dst.String() {
				break
			}
			if update.Dst.String() == "192.0.2.2/32" {
				t.Errorf("the route to %s was changed", update.Dst)
			}
		}
		return nil
	})
}

func TestAServiceWhoseAddressCantBeAddedIsNotListenedTo(t *testing.T) {
	inSpace(t, func(space *netspace.Space) error {
		disable := func(is string) error { return space.SetSysctl("net/ipv6/conf/lo/disable_ipv6", is) }
		if err := disable("1"); err != nil {
			return err
		}
		e := open(datapath.Options{})
		two := []datapath.Service{at("2001:db8::1", 8080), at("2001:db8::1", 8081)}
		outcome, err := e.Set(t.Context(), two)
		if err != nil {
			return err
		}
		if outcome.Changes != 0 || len(outcome.Failures) != 2 || !strings.Contains(outcome.Failures[0].Reason, "can't add the address to this host") {
			t.Errorf("without the address: %+v", outcome)
		}
		if err := disable("0"); err != nil {
			return err
		}
		if _, err := datapath.Whole(e.Set(t.Context(), two)); err != nil { // the ports are free
			return err
		}
		return e.Remove()
	})
}

func expectOurs(t *testing.T, want int) {
	t.Helper()
	if ours, err := ourRoutes(); err != nil || len(ours) != want {
		t.Errorf("%d addresses were added by this engine, want %d (%v)", len(ours), want, err)
	}
}
