package netspacetest

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
	"testing"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// variable means that this process is already in its own network namespace.
const variable = "FAIRLEAD_TEST_OWN_NETWORK"

// Main is TestMain of a package that listens on loopback ports. It runs the tests in their own
// network namespace, so that no other program can take a free port before it is used. Without root
// they run in the current namespace.
func Main(m *testing.M) {
	if os.Geteuid() == 0 && os.Getenv(variable) == "" {
		fmt.Fprintln(os.Stderr, "run in a network namespace:", again())
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// again runs this program in a namespace; it returns only on failure.
func again() error {
	runtime.LockOSThread() // the namespace belongs to the thread, and only that runs the program
	if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
		return fmt.Errorf("create a network namespace: %w", err)
	}
	loopback, err := netlink.LinkByName("lo")
	if err == nil {
		err = netlink.LinkSetUp(loopback)
	}
	if err != nil {
		return fmt.Errorf("bring lo up: %w", err)
	}
	return syscall.Exec("/proc/self/exe", os.Args, append(os.Environ(), variable+"=yes"))
}
