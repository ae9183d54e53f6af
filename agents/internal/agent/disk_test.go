package agent_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fairlead.dev/agents/internal/agent"
	"fairlead.dev/agents/internal/controlplane/controlplanetest"
)

func TestACorruptConfigOnDiskIsSetAsideAndReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp, folder := controlplanetest.New(t), t.TempDir()
		first := start(t, cp, folder, &agent.Fake[spec]{})
		cp.SetConfig(config(1, 1000))
		synctest.Wait()
		first.stop()
		path := filepath.Join(folder, "config.last-good")
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		data[len(data)-1] ^= 1
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		before := len(cp.Reports())

		again := start(t, cp, folder, &agent.Fake[spec]{})
		time.Sleep(time.Minute)
		synctest.Wait()
		if again.host.Host() != (spec{1000}) {
			t.Fatalf("host %v", again.host.Host())
		}
		if warnings := cp.Reports()[before].GetWarnings(); len(warnings) != 1 || !strings.Contains(warnings[0], "damaged") {
			t.Fatalf("warnings %q", warnings)
		}
		if warnings := lastReport(t, cp).GetWarnings(); len(warnings) != 0 {
			t.Fatalf("still warns after a good config was saved: %q", warnings)
		}
		if aside, err := os.ReadFile(path + ".damaged"); err != nil || string(aside) != string(data) {
			t.Fatalf("the damaged file is gone: %v", err)
		}
	})
}

func TestAFullDiskIsReportedAndStopsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp, folder := controlplanetest.New(t), t.TempDir()
		a := start(t, cp, folder, &agent.Fake[spec]{})
		synctest.Wait()
		// Root can write anywhere, so a file in the way simulates the full disk.
		obstacle := filepath.Join(folder, "config.last-good.new", "x")
		if err := os.MkdirAll(obstacle, 0o700); err != nil {
			t.Fatal(err)
		}
		cp.SetConfig(config(1, 1000))
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		report := lastReport(t, cp)
		if a.host.Host() != (spec{1000}) || report.GetObservedRevision() != 1 || len(report.GetWarnings()) != 1 {
			t.Fatalf("host %v, report %v", a.host.Host(), report)
		}
		if strings.Count(a.log.String(), "could not be saved") != 1 {
			t.Fatalf("log\n%s", a.log)
		}

		if err := os.RemoveAll(filepath.Dir(obstacle)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		if report := lastReport(t, cp); len(report.GetWarnings()) != 0 {
			t.Fatalf("report %v", report)
		}
		if _, err := os.Stat(filepath.Join(folder, "config.last-good")); err != nil {
			t.Fatal(err)
		}
	})
}
