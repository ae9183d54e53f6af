package agent_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"connectrpc.com/connect"

	"fairlead.dev/agents/internal/agent"
	"fairlead.dev/agents/internal/agent/agenttest"
	"fairlead.dev/agents/internal/controlplane"
	"fairlead.dev/agents/internal/controlplane/controlplanetest"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// wish is what the test's role takes from a config.
type wish struct {
	SampleMs uint32
}

type running struct {
	host *agent.Fake[wish]
	log  *journal
	stop func()
	err  error
}

// start runs a whole agent with a fake host, until the test ends or stop.
func start(t *testing.T, cp *controlplanetest.ControlPlane, folder string, host *agent.Fake[wish]) *running {
	t.Helper()
	token, err := controlplane.ParseToken(cp.NewToken())
	if err != nil {
		t.Fatal(err)
	}
	r := &running{host: host, log: &journal{}}
	log := slog.New(slog.NewTextHandler(r.log, nil))
	session := controlplane.NewSession(controlplane.Options{
		URL: controlplanetest.URL, Token: token, StateFolder: folder, Log: log,
		Info: &agentv1.AgentInfo{Version: "test"}, Dial: cp.Network.Dial,
	})
	ctx, cancel := context.WithCancel(t.Context())
	var loop sync.WaitGroup
	loop.Go(func() {
		r.err = agent.Run(ctx, agent.Options{Link: session, StateFolder: folder, Log: log}, agent.Role[wish, wish]{
			Name: "test", Driver: host, Desired: parseWish,
			Fill: func(seen wish, report *agentv1.ReportRequest) {
				report.Facts = &agentv1.NodeFacts{CpuCount: seen.SampleMs}
			},
		})
	})
	r.stop = func() { cancel(); loop.Wait() }
	t.Cleanup(r.stop)
	return r
}

func parseWish(config *agentv1.NodeConfig) (wish, error) {
	if config.GetNode().GetSampleIntervalMs() == 13 {
		return wish{}, errors.New("13 is no interval")
	}
	return wish{config.GetNode().GetSampleIntervalMs()}, nil
}

// journal keeps log lines.
type journal struct {
	mu   sync.Mutex
	text strings.Builder
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

func config(revision uint64, sampleMs uint32) *agentv1.NodeConfig {
	return &agentv1.NodeConfig{Revision: revision, Node: &agentv1.NodeRole{SampleIntervalMs: sampleMs}}
}

func lastReport(t *testing.T, cp *controlplanetest.ControlPlane) *agentv1.ReportRequest {
	t.Helper()
	reports := cp.Reports()
	if len(reports) == 0 {
		t.Fatal("nothing was reported")
	}
	return reports[len(reports)-1]
}

func TestTheFakeKeepsTheDriversContract(t *testing.T) {
	agenttest.Contract(t, func(*testing.T) agenttest.Case[wish, wish] {
		host := &agent.Fake[wish]{}
		return agenttest.Case[wish, wish]{
			Driver: host, First: wish{1000}, Second: wish{2000},
			Shows:  func(observed, desired wish) bool { return observed == desired },
			Damage: func() { host.Damage(wish{7}) },
		}
	})
}

func TestAConfigReachesTheHostAndItsRevisionComesBackWithinASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		a := start(t, cp, t.TempDir(), &agent.Fake[wish]{})
		time.Sleep(time.Minute)
		cp.SetConfig(config(1, 1000))
		time.Sleep(time.Second)
		synctest.Wait()
		if a.host.Host() != (wish{1000}) || lastReport(t, cp).GetObservedRevision() != 1 {
			t.Fatalf("host %v, report %v", a.host.Host(), lastReport(t, cp))
		}
	})
}

func TestReportsAtTheIntervalOfTheConfigAndNotFasterInAStorm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		start(t, cp, t.TempDir(), &agent.Fake[wish]{})
		first := config(1, 1000)
		first.ReportIntervalMs = 5000
		cp.SetConfig(first)
		time.Sleep(30 * time.Second)
		before := len(cp.Reports())
		time.Sleep(10 * time.Minute)
		if got := len(cp.Reports()) - before; got != 120 {
			t.Fatalf("%d reports in ten minutes", got)
		}

		before = len(cp.Reports())
		for revision := range uint64(1000) {
			storm := config(revision+2, 1000)
			storm.ReportIntervalMs = 5000
			cp.SetConfig(storm)
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(time.Second)
		if got := len(cp.Reports()) - before; got > 12 || lastReport(t, cp).GetObservedRevision() != 1001 {
			t.Fatalf("%d reports in a storm of ten seconds, last %v", got, lastReport(t, cp))
		}
	})
}

func TestStartsFromTheLastGoodConfigWhileTheControlPlaneIsAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp, folder := controlplanetest.New(t), t.TempDir()
		first := start(t, cp, folder, &agent.Fake[wish]{})
		cp.SetConfig(config(7, 1000))
		synctest.Wait()
		first.stop()
		cp.Network.Cut()

		again := start(t, cp, folder, &agent.Fake[wish]{})
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if again.host.Host() != (wish{1000}) {
			t.Fatalf("host %v\n%s", again.host.Host(), again.log)
		}

		cp.Network.Mend()
		time.Sleep(time.Minute)
		watches := cp.Watches()
		if got := watches[len(watches)-1].GetRevision(); got != 7 {
			t.Fatalf("watches from revision %d", got)
		}
		if report := lastReport(t, cp); report.GetObservedRevision() != 7 || report.GetDroppedReports() != 0 {
			t.Fatalf("report %v", report)
		}
	})
}

func TestOldAndEqualRevisionsAreIgnored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		a := start(t, cp, t.TempDir(), &agent.Fake[wish]{})
		for _, c := range []*agentv1.NodeConfig{config(5, 1000), config(5, 2000), config(4, 3000)} {
			cp.SetConfig(c)
			synctest.Wait()
			cp.Network.Cut() // the control plane believes in any stream that is new
			cp.Network.Mend()
			time.Sleep(time.Minute)
		}
		synctest.Wait()
		if a.host.Host() != (wish{1000}) {
			t.Fatalf("host %v", a.host.Host())
		}
	})
}

func TestAConfigThatFailsIsReportedAndRetriedAndTheLastGoodStateStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		host := &agent.Fake[wish]{}
		host.FailWhen(func(desired wish) (wish, error) {
			if desired.SampleMs == 2000 {
				return wish{99}, errors.New("attach to eth0: device is busy")
			}
			return wish{}, nil
		})
		cp := controlplanetest.New(t)
		a := start(t, cp, t.TempDir(), host)
		cp.SetConfig(config(1, 1000))
		time.Sleep(time.Minute)
		cp.SetConfig(config(2, 2000))
		time.Sleep(5 * time.Minute)
		synctest.Wait()

		report := lastReport(t, cp)
		if report.GetConfigError() != "attach to eth0: device is busy" || report.GetObservedRevision() != 1 || report.GetCorrections() != 0 {
			t.Fatalf("report %v", report)
		}
		if host.Host() != (wish{1000}) || strings.Count(a.log.String(), "can't be applied") != 1 {
			t.Fatalf("host %v\n%s", host.Host(), a.log)
		}

		host.FailWhen(nil)
		time.Sleep(agent.ResyncEvery + 10*time.Second)
		synctest.Wait()
		report = lastReport(t, cp)
		if host.Host() != (wish{2000}) || report.GetConfigError() != "" || report.GetObservedRevision() != 2 {
			t.Fatalf("host %v, report %v", host.Host(), report)
		}
	})
}

func TestAConfigThatMakesNoSenseNeverReachesTheHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp, folder := controlplanetest.New(t), t.TempDir()
		a := start(t, cp, folder, &agent.Fake[wish]{})
		cp.SetConfig(config(1, 1000))
		synctest.Wait()
		cp.SetConfig(config(2, 13))
		time.Sleep(time.Minute)
		a.host.Damage(wish{7}) // the running config is kept up meanwhile
		time.Sleep(time.Minute)
		synctest.Wait()
		report := lastReport(t, cp)
		if a.host.Host() != (wish{1000}) || report.GetConfigError() != "13 is no interval" || report.GetCorrections() != 1 {
			t.Fatalf("host %v, report %v", a.host.Host(), report)
		}
		a.stop()

		again := start(t, cp, folder, &agent.Fake[wish]{})
		synctest.Wait()
		if again.host.Host() != (wish{1000}) {
			t.Fatalf("a restart begins with the bad config: %v", again.host.Host())
		}
	})
}

func TestDamageIsRepairedAndCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		a := start(t, cp, t.TempDir(), &agent.Fake[wish]{})
		cp.SetConfig(config(1, 1000))
		time.Sleep(time.Hour)
		if got := lastReport(t, cp).GetCorrections(); got != 0 {
			t.Fatalf("%d corrections on a healthy host", got)
		}
		a.host.Damage(wish{7})
		time.Sleep(agent.ResyncEvery + 10*time.Second)
		synctest.Wait()
		if a.host.Host() != (wish{1000}) || lastReport(t, cp).GetCorrections() != 1 {
			t.Fatalf("host %v, report %v", a.host.Host(), lastReport(t, cp))
		}
	})
}

func TestARevokedAgentKeepsItsHostAsItIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		a := start(t, cp, t.TempDir(), &agent.Fake[wish]{})
		cp.SetConfig(config(1, 1000))
		synctest.Wait()
		cp.Refuse(connect.NewError(connect.CodePermissionDenied, errors.New("this agent was revoked")))
		time.Sleep(time.Hour)
		a.host.Damage(wish{7})
		time.Sleep(time.Minute)
		synctest.Wait()
		if a.host.Host() != (wish{1000}) || !strings.Contains(a.log.String(), "the control plane refuses this agent") {
			t.Fatalf("host %v\n%s", a.host.Host(), a.log)
		}
	})
}

func TestACorruptConfigOnDiskIsSetAsideAndSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp, folder := controlplanetest.New(t), t.TempDir()
		first := start(t, cp, folder, &agent.Fake[wish]{})
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

		again := start(t, cp, folder, &agent.Fake[wish]{})
		time.Sleep(time.Minute)
		synctest.Wait()
		if again.host.Host() != (wish{1000}) {
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

func TestAFullDiskStopsNothingAndIsSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp, folder := controlplanetest.New(t), t.TempDir()
		a := start(t, cp, folder, &agent.Fake[wish]{})
		synctest.Wait()
		// Root may write anywhere, so something in the way plays the full disk.
		obstacle := filepath.Join(folder, "config.last-good.new", "x")
		if err := os.MkdirAll(obstacle, 0o700); err != nil {
			t.Fatal(err)
		}
		cp.SetConfig(config(1, 1000))
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		report := lastReport(t, cp)
		if a.host.Host() != (wish{1000}) || report.GetObservedRevision() != 1 || len(report.GetWarnings()) != 1 {
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

func TestStoppingClosesTheDriverAndIsNoError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		a := start(t, cp, t.TempDir(), &agent.Fake[wish]{})
		synctest.Wait()
		a.stop()
		if a.err != nil || !a.host.Closed() {
			t.Fatalf("err %v, closed %v", a.err, a.host.Closed())
		}
	})
}
