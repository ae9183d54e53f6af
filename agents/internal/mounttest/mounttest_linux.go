package mounttest

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/privileged"
)

const patience = 10 * time.Second // for processes that end

// BPF mounts a BPF file system.
func BPF(t testing.TB) string {
	t.Helper()
	return mount(t, "bpf")
}

// Cgroup mounts a cgroup file system of version 2, and returns a new cgroup in it.
func Cgroup(t testing.TB) string {
	t.Helper()
	cgroup, err := os.MkdirTemp(mount(t, "cgroup2"), "fairlead-test-")
	must(t, err)
	t.Cleanup(func() {
		for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
			err := unix.Rmdir(cgroup)
			if err == nil {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("remove %s: %v", cgroup, err)
			}
		}
	})
	return cgroup
}

// EnterCgroup moves this process, and with it the sockets that it opens from now on, into a new cgroup.
func EnterCgroup(t testing.TB) string {
	t.Helper()
	cgroup := Cgroup(t)
	former := filepath.Join(filepath.Dir(cgroup), ownCgroup(t))
	move(t, cgroup)
	t.Cleanup(func() { move(t, former) })
	return cgroup
}

func move(t testing.TB, cgroup string) {
	t.Helper()
	must(t, os.WriteFile(filepath.Join(cgroup, "cgroup.procs"), []byte(strconv.Itoa(os.Getpid())), 0))
}

func ownCgroup(t testing.TB) string {
	t.Helper()
	all, err := os.ReadFile("/proc/self/cgroup")
	must(t, err)
	for line := range strings.Lines(string(all)) {
		if path, is := strings.CutPrefix(line, "0::"); is {
			return strings.TrimSpace(path)
		}
	}
	t.Fatal("this process is in no cgroup of version 2")
	return ""
}

func mount(t testing.TB, kind string) string {
	t.Helper()
	privileged.Need(t)
	at := t.TempDir()
	must(t, unix.Mount("none", at, kind, 0, ""))
	t.Cleanup(func() { must(t, unix.Unmount(at, unix.MNT_DETACH)) })
	return at
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
