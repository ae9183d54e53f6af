package netspace_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/netip"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/privileged"
)

func TestTwoNamespacesCommunicateOverALink(t *testing.T) {
	for _, family := range []struct{ name, a, b string }{
		{"IPv4", "10.9.0.1/24", "10.9.0.2/24"},
		{"IPv6", "fd00:9::1/64", "fd00:9::2/64"},
	} {
		t.Run(family.name, func(t *testing.T) {
			a, b := newSpace(t, "a"), newSpace(t, "b")
			prefixA, prefixB := netip.MustParsePrefix(family.a), netip.MustParsePrefix(family.b)
			err := netspace.Connect(
				netspace.End{Space: a, Interface: "eth0", Addresses: []netip.Prefix{prefixA}},
				netspace.End{Space: b, Interface: "eth0", Addresses: []netip.Prefix{prefixB}},
			)
			if err != nil {
				t.Fatal(err)
			}
			listener, err := b.Listen(t.Context(), "tcp", netip.AddrPortFrom(prefixB.Addr(), 80).String())
			if err != nil {
				t.Fatal(err)
			}
			defer listener.Close()
			go func() {
				if conn, err := listener.Accept(); err == nil {
					_, _ = io.WriteString(conn, "hello")
					_ = conn.Close()
				}
			}()
			conn, err := a.Dial(t.Context(), "tcp", listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if heard, err := io.ReadAll(conn); string(heard) != "hello" || err != nil {
				t.Fatalf("received %q, %v", heard, err)
			}
		})
	}
}

func TestNarrowLimitsTheRate(t *testing.T) {
	a, b := newSpace(t, "a"), newSpace(t, "b")
	to := netip.MustParsePrefix("10.9.0.2/24")
	err := netspace.Connect(
		netspace.End{Space: a, Interface: "eth0", Addresses: []netip.Prefix{netip.MustParsePrefix("10.9.0.1/24")}},
		netspace.End{Space: b, Interface: "eth0", Addresses: []netip.Prefix{to}},
	)
	if err != nil {
		t.Fatal(err)
	}
	const mbps = 50
	if err := a.Narrow("eth0", mbps); err != nil {
		t.Fatal(err)
	}
	listener, err := b.Listen(t.Context(), "tcp", netip.AddrPortFrom(to.Addr(), 80).String())
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	conn, err := a.Dial(t.Context(), "tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	other, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	const some = 4 << 20
	go func() { _, _ = conn.Write(make([]byte, some)) }()
	began := time.Now()
	if _, err := io.ReadFull(other, make([]byte, some)); err != nil {
		t.Fatal(err)
	}
	const burst = 256 << 10 // that may be sent at once
	if least := time.Duration(some-burst) * 8 * time.Microsecond / mbps; time.Since(began) < least {
		t.Errorf("%d bytes took %s; at %d Mbit/s they take %s at least", some, time.Since(began), mbps, least)
	}
}

func TestANameIsTakenOnceAndFreedByDelete(t *testing.T) {
	space := newSpace(t, "once")
	if _, err := netspace.New(space.Name); !errors.Is(err, fs.ErrExist) {
		t.Fatalf("a second one: %v", err)
	}
	if err := netspace.Delete(space.Name); err != nil {
		t.Fatal(err)
	}
	if _, err := netspace.Open(space.Name); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("after delete: %v", err)
	}
	if err := netspace.Delete(space.Name); err != nil {
		t.Fatalf("deleting nothing: %v", err)
	}
}

func TestAWholePrefixIsLocal(t *testing.T) {
	space := newSpace(t, "anyip")
	if err := space.AddLocal(netip.MustParsePrefix("192.0.2.0/24")); err != nil {
		t.Fatal(err)
	}
	listener, err := space.Listen(t.Context(), "tcp", "192.0.2.77:80")
	if err != nil {
		t.Fatal(err)
	}
	_ = listener.Close()
}

func TestTheCallerStaysWhereItWas(t *testing.T) {
	before, err := os.Readlink("/proc/self/ns/net")
	if err != nil {
		t.Fatal(err)
	}
	space := newSpace(t, "away")
	for range 50 {
		if err := space.Do(func() error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	if after, _ := os.Readlink("/proc/self/ns/net"); after != before {
		t.Fatalf("from %s to %s", before, after)
	}
}

func TestABoundProcessRunsInsideAndIsFound(t *testing.T) {
	space := newSpace(t, "bound")
	command := exec.Command("cat")
	input, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := space.StartBound(command); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = command.Wait() }()
	defer input.Close()
	names, err := netspace.Names(space.Name)
	if err != nil || !slices.Equal(names, []string{space.Name}) {
		t.Fatalf("names %v, %v", names, err)
	}
	pids, err := netspace.Processes(names...)
	if err != nil || !slices.Equal(pids, []int{command.Process.Pid}) {
		t.Fatalf("processes %v, %v, want %d", pids, err, command.Process.Pid)
	}
}

func TestABoundProcessMayHaveItsOwnSession(t *testing.T) {
	space := newSpace(t, "session")
	command := exec.Command("cat")
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	input, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := space.StartBound(command); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = command.Wait() }()
	defer input.Close()
	if session, err := unix.Getsid(command.Process.Pid); err != nil || session != command.Process.Pid {
		t.Errorf("its session is %d, %v, want %d", session, err, command.Process.Pid)
	}
}

// When a process that started a bound process is killed, the bound one ends too.
func TestABoundProcessDiesWithUs(t *testing.T) {
	if name := os.Getenv("FLTEST_PARENT_IN"); name != "" {
		space, err := netspace.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := space.StartBound(exec.Command("sleep", "1000")); err != nil {
			t.Fatal(err)
		}
		fmt.Println("started")
		select {}
	}
	space := newSpace(t, "parent")
	parent := exec.Command(os.Args[0], "-test.run=^TestABoundProcessDiesWithUs$")
	parent.Env = append(os.Environ(), "FLTEST_PARENT_IN="+space.Name)
	output, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(output).ReadString('\n'); line != "started\n" {
		t.Fatalf("output of the parent: %q, %v", line, err)
	}
	pids, err := netspace.Processes(space.Name)
	if err != nil || len(pids) != 1 {
		t.Fatalf("processes %v, %v", pids, err)
	}
	_ = parent.Process.Kill()
	_ = parent.Wait()
	for deadline := time.Now().Add(time.Minute); len(pids) > 0; {
		if time.Now().After(deadline) {
			t.Fatalf("%v outlived their parent", pids)
		}
		if pids, err = netspace.Processes(space.Name); err != nil {
			t.Fatal(err)
		}
	}
}

func newSpace(t *testing.T, name string) *netspace.Space {
	t.Helper()
	privileged.Need(t)
	space, err := netspace.New(fmt.Sprintf("fltest-%d-%s", os.Getpid(), name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := space.Delete(); err != nil {
			t.Error(err)
		}
	})
	return space
}
