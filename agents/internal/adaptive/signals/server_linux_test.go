package signals

import (
	"fmt"
	"net"
	"net/netip"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/netspace/netspacetest"
)

func TestMain(m *testing.M) {
	if kind := os.Getenv(servesForTest); kind != "" {
		fmt.Fprintln(os.Stderr, serve(kind))
		os.Exit(1)
	}
	netspacetest.Main(m)
}

// serve is the server of tests, in its own process: hangs never answers, and burns takes 2 ms of
// CPU time for each request, one after the other. It returns only errors.
func serve(kind string) error {
	if kind == burns {
		return runFirst()
	}
	runtime.LockOSThread() // for its CPU time
	listener, err := net.Listen("tcp", netip.AddrPortFrom(server4, port).String())
	if err != nil {
		return err
	}
	for {
		conn, err := listener.Accept()
		if err != nil {
			return err
		}
		if kind == burnsFirst {
			burnFor(conn)
		} else {
			defer conn.Close() // when the process is killed
		}
	}
}

const (
	hangs      = "hang"
	burns      = "burn"
	burnsFirst = "burn before all others"
)

// runFirst starts this process again, and the kernel prefers all its threads to those of other
// programs: what a busy machine adds to a request isn't the subject of a test.
func runFirst() error {
	runtime.LockOSThread()
	const fifo = 1
	if err := unix.SchedSetAttr(0, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: fifo, Priority: 1}, 0); err != nil {
		return err
	}
	if err := os.Setenv(servesForTest, burnsFirst); err != nil {
		return err
	}
	return unix.Exec("/proc/self/exe", os.Args, os.Environ())
}

// burnFor answers with the time that it computed, in nanoseconds.
func burnFor(conn net.Conn) {
	defer conn.Close()
	if _, err := conn.Read(make([]byte, 1)); err != nil {
		return
	}
	began := time.Now()
	for end := threadTime() + requestTime; threadTime() < end; {
	}
	_, _ = fmt.Fprintln(conn, time.Since(began).Nanoseconds())
}

const requestTime = 2 * time.Millisecond

func threadTime() time.Duration {
	var used unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &used)
	return time.Duration(used.Nano())
}

// halfOpen counts the handshakes of a namespace that aren't complete.
func halfOpen(t testing.TB, space *netspace.Space) int {
	t.Helper()
	const dump, synReceived, requestBytes, byFamily = netlink.Request | netlink.Dump, 3, 56, 20
	request := make([]byte, requestBytes)
	request[0], request[1], request[4] = unix.AF_INET, unix.IPPROTO_TCP, 1<<synReceived
	var found []netlink.Message
	must(t, space.Do(func() error {
		conn, err := netlink.Dial(unix.NETLINK_INET_DIAG, nil)
		if err != nil {
			return err
		}
		defer conn.Close()
		found, err = conn.Execute(netlink.Message{Header: netlink.Header{Type: byFamily, Flags: dump}, Data: request})
		return err
	}))
	return len(found)
}
