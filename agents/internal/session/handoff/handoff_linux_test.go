package handoff

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strings"
	"testing"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

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

// A container may have the settings of the kernel read-only.
func TestWhatCantBeOpenedLeavesNoInterface(t *testing.T) {
	privileged.Need(t)
	space, err := netspace.New("flhandoff-fail")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = space.Delete() })
	if err := space.Up("lo"); err != nil {
		t.Fatal(err)
	}
	if err := space.Do(func() error {
		if err := os.WriteFile(settingOf("all", "rp_filter"), []byte("1"), 0); err != nil {
			return err
		}
		return errors.Join(
			unix.Unshare(unix.CLONE_NEWNS), // of this thread, which ends here
			unix.Mount("", "/", "", unix.MS_PRIVATE|unix.MS_REC, ""),
			unix.Mount("/proc/sys", "/proc/sys", "", unix.MS_BIND, ""),
			unix.Mount("", "/proc/sys", "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY, ""),
			openFails(netip.MustParseAddr("127.0.0.1")))
	}); err != nil {
		t.Error(err)
	}
}

// openFails returns what is wrong with how it fails.
func openFails(listen netip.Addr) error {
	if _, err := Open(listen); err == nil || !strings.Contains(err.Error(), "rp_filter is 1 and can't be changed") {
		return fmt.Errorf("it failed with %v", err)
	}
	for _, name := range []string{outer, inner} {
		if _, err := net.InterfaceByName(name); err == nil {
			return fmt.Errorf("%s is still there", name)
		}
	}
	return nil
}
