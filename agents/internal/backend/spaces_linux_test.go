package backend

import (
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/netspace"
)

// Processes of an instance end all the time, such as those of checks. Its others are still there. Without
// this, about one search in a thousand misses the namespace.
func TestAProcessThatEndsHidesNoNamespace(t *testing.T) {
	h := newHost(t)
	instance := h.instance(t, "a", "10.9.0.1/24")
	lasting := exec.Command("sleep", "600")
	must(t, instance.Start(lasting))
	defer func() { _, _ = lasting.Process.Kill(), lasting.Wait() }()
	own, folder := netip.MustParseAddr("10.9.0.1"), t.TempDir()
	link := func(process *exec.Cmd, name string) {
		path := filepath.Join(folder, name)
		_ = os.Remove(path)
		must(t, os.Symlink(fmt.Sprintf("/proc/%d/ns/net", process.Process.Pid), path))
	}
	link(lasting, "2")
	for began := time.Now(); time.Since(began) < 4*time.Second; {
		short := exec.Command("true")
		must(t, instance.Start(short))
		link(short, "1")
		ended := make(chan struct{})
		go func() { defer close(ended); _ = short.Wait() }()
		for runs := true; runs; {
			found, err := search(filepath.Join(folder, "*"), func(s *space) bool { _, has := s.addresses[own]; return has })
			must(t, err)
			if len(found.kept) != 1 {
				t.Errorf("found in %d namespaces", len(found.kept))
			}
			must(t, found.close())
			select {
			case <-ended:
				runs = false
			default:
			}
		}
	}
}

func TestAnOrdinaryFileIsNoNamespace(t *testing.T) {
	h := newHost(t)
	stale := filepath.Join(netspace.Folder, h.name+"-stale")
	h.instance(t, "a", "10.9.0.1/24")
	must(t, os.WriteFile(stale, nil, 0o600))
	t.Cleanup(func() { _ = os.Remove(stale) })
	found, err := search(h.pattern, func(*space) bool { return false })
	must(t, err)
	if !found.isWhole() || found.looked != 2 { // with the agent's own
		t.Errorf("%d namespaces, %v", found.looked, found.failed)
	}
}

// A host that lacks file descriptors for a moment doesn't lose connections by that.
func TestWhatCannotBeReadNowStays(t *testing.T) {
	h := newHost(t)
	space := h.instance(t, "a", "10.9.0.1/24")
	serve(t, space, services[0], false)
	s := serverAt(t, "10.9.0.1", services[0])
	d := h.driver(t)
	set(t, d, s)
	until(t, d, "it is ready", func() bool { return strings.HasPrefix(status(t, d, s), "true") })
	programs := attachedTo(t, space)
	var limit unix.Rlimit
	must(t, unix.Getrlimit(unix.RLIMIT_NOFILE, &limit))
	must(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 3, Max: limit.Max}))
	d.apply(time.Now())
	must(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &limit))
	if left := attachedTo(t, space); !slices.Equal(left, programs) || !has(t, space, services[0].Addr()) {
		t.Errorf("%v are attached, and %v were", left, programs)
	}
	if got := status(t, d, s); !strings.HasPrefix(got, "true") || !strings.Contains(d.warning, "too many open files") {
		t.Errorf("%s %s", got, d.warning)
	}
	until(t, d, "it was searched again", func() bool { return d.warning == "" })
	off(t, d)
	if has(t, space, services[0].Addr()) {
		t.Error("the address was forgotten")
	}
}
