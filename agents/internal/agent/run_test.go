package agent_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"connectrpc.com/connect"

	"fairlead.dev/agents/internal/agent"
	"fairlead.dev/agents/internal/agent/agenttest"
	"fairlead.dev/agents/internal/controlplane/controlplanetest"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

func TestTheFakeKeepsTheDriversContract(t *testing.T) {
	agenttest.Contract(t, func(*testing.T) agenttest.Case[spec, spec] {
		host := &agent.Fake[spec]{}
		return agenttest.Case[spec, spec]{
			Driver: host, First: spec{1000}, Second: spec{2000},
			Shows:  func(observed, desired spec) bool { return observed == desired },
			Damage: func() { host.Damage(spec{7}) },
		}
	})
}

func TestAConfigIsAppliedAndReportedWithinASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		a := start(t, cp, t.TempDir(), &agent.Fake[spec]{})
		time.Sleep(time.Minute)
		first := config(1, 1000)
		first.Digest = "one"
		cp.SetConfig(first)
		time.Sleep(time.Second)
		synctest.Wait()
		if a.host.Host() != (spec{1000}) || lastReport(t, cp).GetObservedRevision() != 1 || lastReport(t, cp).GetObservedDigest() != "one" {
			t.Fatalf("host %v, report %v", a.host.Host(), lastReport(t, cp))
		}
	})
}

func TestReportsAtTheIntervalOfTheConfigAndNotFasterInAStorm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		start(t, cp, t.TempDir(), &agent.Fake[spec]{})
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
		first := start(t, cp, folder, &agent.Fake[spec]{})
		cp.SetConfig(config(7, 1000))
		synctest.Wait()
		first.stop()
		cp.Network.Cut()

		again := start(t, cp, folder, &agent.Fake[spec]{})
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if again.host.Host() != (spec{1000}) {
			t.Fatalf("host %v\n%s", again.host.Host(), again.log)
		}

		cp.Network.Mend()
		time.Sleep(time.Minute)
		watches := cp.Watches()
		// Its own config again, which confirms that it is the newest.
		if got := watches[len(watches)-1].GetRevision(); got != 6 {
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
		a := start(t, cp, t.TempDir(), &agent.Fake[spec]{})
		for _, c := range []*agentv1.NodeConfig{config(5, 1000), config(5, 2000), config(4, 3000)} {
			cp.SetConfig(c)
			synctest.Wait()
			cp.Network.Cut() // the control plane accepts any new stream
			cp.Network.Mend()
			time.Sleep(time.Minute)
		}
		synctest.Wait()
		if a.host.Host() != (spec{1000}) {
			t.Fatalf("host %v", a.host.Host())
		}
	})
}

func TestAConfigThatFailsIsReportedAndRetriedAndTheLastGoodStateStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		host := &agent.Fake[spec]{}
		host.FailWhen(func(desired spec) (spec, error) {
			if desired.SampleMs == 2000 {
				return spec{99}, errors.New("attach to eth0: device is busy")
			}
			return spec{}, nil
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
		if host.Host() != (spec{1000}) || strings.Count(a.log.String(), "can't be applied") != 1 {
			t.Fatalf("host %v\n%s", host.Host(), a.log)
		}

		host.FailWhen(nil)
		time.Sleep(agent.ResyncEvery + 10*time.Second)
		synctest.Wait()
		report = lastReport(t, cp)
		if host.Host() != (spec{2000}) || report.GetConfigError() != "" || report.GetObservedRevision() != 2 {
			t.Fatalf("host %v, report %v", host.Host(), report)
		}
	})
}

func TestAConfigThatMakesNoSenseNeverReachesTheHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp, folder := controlplanetest.New(t), t.TempDir()
		a := start(t, cp, folder, &agent.Fake[spec]{})
		cp.SetConfig(config(1, 1000))
		synctest.Wait()
		cp.SetConfig(config(2, 13))
		time.Sleep(time.Minute)
		a.host.Damage(spec{7}) // the active config is still enforced
		time.Sleep(time.Minute)
		synctest.Wait()
		report := lastReport(t, cp)
		if a.host.Host() != (spec{1000}) || report.GetConfigError() != "13 is not an interval" || report.GetCorrections() != 1 {
			t.Fatalf("host %v, report %v", a.host.Host(), report)
		}
		a.stop()

		again := start(t, cp, folder, &agent.Fake[spec]{})
		synctest.Wait()
		if again.host.Host() != (spec{1000}) {
			t.Fatalf("a restart applies the invalid config: %v", again.host.Host())
		}
	})
}

func TestDriftIsRepairedAndCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		a := start(t, cp, t.TempDir(), &agent.Fake[spec]{})
		cp.SetConfig(config(1, 1000))
		time.Sleep(time.Hour)
		if got := lastReport(t, cp).GetCorrections(); got != 0 {
			t.Fatalf("%d corrections on a healthy host", got)
		}
		a.host.Damage(spec{7})
		time.Sleep(agent.ResyncEvery + 10*time.Second)
		synctest.Wait()
		if a.host.Host() != (spec{1000}) || lastReport(t, cp).GetCorrections() != 1 {
			t.Fatalf("host %v, report %v", a.host.Host(), lastReport(t, cp))
		}
	})
}

func TestARevokedAgentKeepsItsHostAsItIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		a := start(t, cp, t.TempDir(), &agent.Fake[spec]{})
		cp.SetConfig(config(1, 1000))
		synctest.Wait()
		cp.Refuse(connect.NewError(connect.CodePermissionDenied, errors.New("this agent was revoked")))
		time.Sleep(time.Hour)
		a.host.Damage(spec{7})
		time.Sleep(time.Minute)
		synctest.Wait()
		if a.host.Host() != (spec{1000}) || !strings.Contains(a.log.String(), "the control plane refuses this agent") {
			t.Fatalf("host %v\n%s", a.host.Host(), a.log)
		}
	})
}

func TestStoppingClosesTheDriverAndIsNoError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		a := start(t, cp, t.TempDir(), &agent.Fake[spec]{})
		synctest.Wait()
		a.stop()
		if a.err != nil || !a.host.Closed() {
			t.Fatalf("err %v, closed %v", a.err, a.host.Closed())
		}
	})
}
