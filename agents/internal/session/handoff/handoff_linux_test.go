package handoff

import (
	"net"
	"net/netip"
	"testing"

	"github.com/vishvananda/netlink"

	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/privileged"
)

func TestAPairOutlivesItsProcessAndIsRemoved(t *testing.T) {
	privileged.Need(t)
	space, err := netspace.New("flhandoff-test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = space.Delete() })
	if err := space.Up("lo"); err != nil {
		t.Fatal(err)
	}
	listen := netip.MustParseAddr("127.0.0.1")
	err = space.Do(func() error {
		var before int
		for range 2 {
			one, err := Open(listen)
			if err != nil {
				return err
			}
			for _, is4 := range []bool{true, false} {
				at, err := one.AddressFor(is4)
				if err != nil {
					return err
				}
				found, err := netlink.RouteGet(at.AsSlice())
				if err != nil || len(found) == 0 || found[0].LinkIndex != one.pair.out {
					t.Errorf("%s is reached by %v, %v", at, found, err)
				}
			}
			if before != 0 && one.pair.out != before {
				t.Error("the interfaces were created again")
			}
			before = one.pair.out
			if own := one.Companion(); own.Addr() != listen || own.Port() == 0 {
				t.Errorf("the companion listens at %s", own)
			}
			if err := one.Close(); err != nil {
				return err
			}
		}
		if err := RemoveFormer(); err != nil {
			return err
		}
		for _, name := range []string{outer, inner} {
			if _, err := net.InterfaceByName(name); err == nil {
				t.Errorf("%s is still there", name)
			}
		}
		return RemoveFormer()
	})
	if err != nil {
		t.Fatal(err)
	}
}
