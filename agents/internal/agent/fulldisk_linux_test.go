package agent_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/agent"
	"fairlead.dev/agents/internal/controlplane/controlplanetest"
	"fairlead.dev/agents/internal/privileged"
)

func TestADiskWithNoRoomLeftKeepsTheOlderConfigAndStopsNothing(t *testing.T) {
	privileged.Need(t)
	folder := t.TempDir()
	if err := unix.Mount("none", folder, "tmpfs", 0, "size=64k"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Unmount(folder, unix.MNT_DETACH) })
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		a := start(t, cp, folder, &agent.Fake[spec]{})
		cp.SetConfig(config(1, 1000))
		time.Sleep(time.Minute)
		synctest.Wait()
		saved, err := os.ReadFile(filepath.Join(folder, "config.last-good"))
		if err != nil {
			t.Fatal(err)
		}

		fill(t, filepath.Join(folder, "another-file"))
		cp.SetConfig(config(2, 2000))
		time.Sleep(time.Minute)
		synctest.Wait()
		report := lastReport(t, cp)
		if a.host.Host() != (spec{2000}) || report.GetObservedRevision() != 2 {
			t.Fatalf("host %v, report %v", a.host.Host(), report)
		}
		if warnings := report.GetWarnings(); len(warnings) != 1 || !strings.Contains(warnings[0], "no space left on device") {
			t.Fatalf("warnings %q", warnings)
		}
		if now, err := os.ReadFile(filepath.Join(folder, "config.last-good")); err != nil || string(now) != string(saved) {
			t.Fatalf("the config on disk is no longer the last that had room: %v", err)
		}

		if err := os.Remove(filepath.Join(folder, "another-file")); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if warnings := lastReport(t, cp).GetWarnings(); len(warnings) != 0 {
			t.Fatalf("warnings %q", warnings)
		}
	})
}

// fill writes until there is no room.
func fill(t *testing.T, path string) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for err == nil {
		_, err = file.Write(make([]byte, 512))
	}
	if !errors.Is(err, unix.ENOSPC) {
		t.Fatal(err)
	}
}
