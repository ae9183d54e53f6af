package companion

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"strings"

	"github.com/cilium/ebpf/btf"
	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

const (
	creates = "bpf_sk_assign_tcp_reqsk"
	cookies = "/proc/sys/net/ipv4/tcp_syncookies"
)

// Preflight returns why companions can't work on this kernel, or in the current namespace.
func Preflight() error { return errors.Join(PreflightKernel(), PreflightSpace()) }

// PreflightKernel returns why companions can't work on this host.
func PreflightKernel() error {
	kernel, err := btf.LoadKernelSpec()
	if err != nil {
		return fmt.Errorf("companions need the kernel's type information (BTF): use a kernel that was built with it: %w", err)
	}
	return checkKernel(kernel)
}

// PreflightSpace returns why companions can't work in the current namespace.
func PreflightSpace() error { return checkCookies(cookies) }

func checkKernel(kernel *btf.Spec) error {
	var function *btf.Func
	if err := kernel.TypeByName(creates, &function); err != nil {
		return fmt.Errorf("companions need Linux 6.9 or newer, because their program calls %s, which this kernel lacks", creates)
	}
	return nil
}

// checkCookies: the kernel creates a connection from a cookie only if it may use its own.
func checkCookies(path string) error {
	setting, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read whether SYN cookies are on: %w", err)
	}
	if strings.TrimSpace(string(setting)) == "0" {
		return errors.New("SYN cookies are off in the server's network namespace, so the kernel rejects every connection from a balancer: set net.ipv4.tcp_syncookies to 1")
	}
	return nil
}

// Problems returns what keeps the server from accepting connections to its services now, a
// sentence each.
func (c *Companion) Problems() (out []string) {
	for _, s := range *c.services.Load() {
		if found := c.ProblemOf(s.Address); found != "" {
			out = append(out, found)
		}
	}
	return out
}

// ProblemOf returns what keeps the server from accepting connections to an address now, as a sentence.
func (c *Companion) ProblemOf(address netip.AddrPort) string {
	if found := c.problemOf(address); found != "" {
		return fmt.Sprintf("The server accepts no connection to %s: %s.", address, found)
	}
	return ""
}

func (c *Companion) problemOf(address netip.AddrPort) string {
	routes, err := c.routes.RouteGet(address.Addr().AsSlice())
	if err != nil || len(routes) == 0 || routes[0].Type != unix.RTN_LOCAL {
		return "the address isn't the host's own; add it to the loopback interface"
	}
	listener, err := c.diagnosis.listener(address)
	switch {
	case err != nil:
		return err.Error()
	case listener == nil:
		return "no process listens there; start the server"
	case listener.isMultipath:
		return "it listens for MPTCP; turn that off, as with GODEBUG=multipathtcp=0 or net.mptcp.enabled=0"
	}
	return ""
}

func openRoutes() (*netlink.Handle, error) {
	routes, err := netlink.NewHandle(unix.NETLINK_ROUTE)
	if err != nil {
		return nil, fmt.Errorf("open netlink: %w", err)
	}
	return routes, nil
}
