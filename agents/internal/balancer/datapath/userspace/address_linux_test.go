package userspace

import (
	"fmt"
	"net"
	"net/netip"
	"os"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/privileged"
)

func TestASetThatFailsLeavesNoAddressBehind(t *testing.T) {
	privileged.Need(t)
	space, err := netspace.New(fmt.Sprintf("fluser%d", os.Getpid()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = space.Delete() })
	err = space.Do(func() error {
		taken, err := net.Listen("tcp", "127.0.0.1:8080")
		if err != nil {
			return err
		}
		defer taken.Close()
		at := func(address string) datapath.Service {
			return datapath.Service{Key: datapath.Key{Address: netip.MustParseAddr(address), Port: 8080, Protocol: datapath.TCP}, Delivery: datapath.Proxy}
		}
		e := open(datapath.Options{})
		if changes, err := e.Set(t.Context(), []datapath.Service{at("192.0.2.1"), at("127.0.0.1")}); err == nil {
			t.Errorf("%d changes, with a port in use", changes)
		}
		expectOurs(t, 0)
		if _, err := e.Set(t.Context(), []datapath.Service{at("192.0.2.1")}); err != nil {
			return err
		}
		expectOurs(t, 1)
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
