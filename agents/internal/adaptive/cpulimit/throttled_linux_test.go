package cpulimit

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/privileged"
)

// A process that wants more than its quota is throttled.
func TestARealCgroupIsThrottled(t *testing.T) {
	privileged.Need(t)
	cgroup, version := limited(t)
	if got := cgroup.Version(); got != version {
		t.Errorf("the cgroup is of version %d, want %d", got, version)
	}
	before, err := cgroup.Read()
	if err != nil || before.Cores != 0.1 {
		t.Fatalf("got %+v (%v), want 0.1 cores", before, err)
	}
	burns := exec.Command("sh", "-c", "while :; do :; done")
	if err := burns.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = burns.Process.Kill(), burns.Wait() }()
	write(t, filepath.Join(cgroup.CPU, "cgroup.procs"), strconv.Itoa(burns.Process.Pid))
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		after, err := cgroup.Read()
		if err != nil {
			t.Fatal(err)
		}
		if after.Periods > before.Periods && after.Throttled > before.Throttled && after.Lost > before.Lost {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("got %+v, %+v before", after, before)
		}
	}
}

// limited returns a cgroup with a tenth of a core, of the version whose cpu controller this host has.
func limited(t *testing.T) (cgroup Cgroup, version int) {
	t.Helper()
	const online, quota, period = "/sys/devices/system/cpu/online", "1000", "10000"
	at := t.TempDir()
	if err := unix.Mount("none", at, "cgroup", 0, "cpu"); err == nil {
		folder := create(t, at)
		write(t, filepath.Join(folder, "cpu.cfs_period_us"), period)
		write(t, filepath.Join(folder, "cpu.cfs_quota_us"), quota)
		return Cgroup{CPU: folder, Root: at, Online: online}, 1
	}
	if err := unix.Mount("none", at, "cgroup2", 0, ""); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(at, "cgroup.subtree_control"), "+cpu")
	folder := create(t, at)
	write(t, filepath.Join(folder, "cpu.max"), quota+" "+period)
	return Cgroup{CPU: folder, CPUSet: folder, Root: at, Online: online}, 2
}

func create(t *testing.T, at string) string {
	t.Helper()
	folder, err := os.MkdirTemp(at, "cpulimit-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for end := time.Now().Add(10 * time.Second); unix.Rmdir(folder) != nil; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Errorf("%s isn't empty", folder)
				break
			}
		}
		if err := unix.Unmount(at, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return folder
}

func write(t *testing.T, path, text string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = file.WriteString(text)
	if err := errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
}
