package controlplane_test

import (
	"testing"
	"testing/synctest"
	"time"

	"fairlead.dev/agents/internal/controlplane/controlplanetest"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

func TestReceivesTheNewestConfigAndSkipsThoseBetween(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		a := enrolled(t, cp, t.TempDir())
		for revision := range uint64(5) {
			cp.SetConfig(config(revision + 1))
			synctest.Wait()
		}
		if got := (<-a.Configs()).GetRevision(); got != 5 {
			t.Fatalf("revision = %d", got)
		}
		// A control plane restored from a backup: its config is outdated until it has received the agent's
		// revision and continues from there.
		cp.SetConfig(config(4))
		synctest.Wait()
		select {
		case old := <-a.Configs():
			t.Fatalf("got revision %d again", old.GetRevision())
		default:
		}
		cp.SetConfig(config(6))
		if got := (<-a.Configs()).GetRevision(); got != 6 {
			t.Fatalf("revision = %d", got)
		}
	})
}

func TestReconnectsToAControlPlaneThatWasKilled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		a := enrolled(t, cp, t.TempDir())
		cp.SetConfig(config(1))
		synctest.Wait()
		time.Sleep(time.Minute)
		cp.Stop()
		time.Sleep(5 * time.Minute)
		cp.Start()
		time.Sleep(30*time.Second + 16*time.Second) // the longest pause, and a keep-alive

		watches := cp.Watches()
		if len(watches) != 2 || watches[1].GetRevision() != 1 {
			t.Fatalf("watches = %v\n%s", watches, a.log)
		}
		if a.log.count("level=WARN") != 1 || a.log.count("away: over") != 1 {
			t.Fatalf("an outage should be two lines:\n%s", a.log)
		}
	})
}

func TestReconnectsToAFrozenControlPlane(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		a := enrolled(t, cp, t.TempDir())
		dials := cp.Network.Dials()
		cp.Network.Freeze()
		time.Sleep(50 * time.Second)
		if cp.Network.Dials() == dials {
			t.Fatalf("still waiting on a dead stream:\n%s", a.log)
		}
		cp.Network.Thaw()
		cp.SetConfig(config(1))
		time.Sleep(time.Minute)
		select {
		case <-a.Configs():
		default:
			t.Fatalf("no config after the thaw:\n%s", a.log)
		}
	})
}

func TestReopensASilentStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		a := enrolled(t, cp, t.TempDir())
		dials := cp.Network.Dials()
		cp.Mute()
		cp.SetConfig(config(1))
		time.Sleep(46 * time.Second)
		synctest.Wait()
		select {
		case <-a.Configs():
		default:
			t.Fatalf("still waiting on a silent stream:\n%s", a.log)
		}
		if cp.Network.Dials() != dials {
			t.Fatal("the connection was healthy, only the stream had to be reopened")
		}
	})
}

func TestKeepAlivesKeepAQuietStreamOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		a := enrolled(t, cp, t.TempDir())
		time.Sleep(time.Hour)
		if len(cp.Watches()) != 1 {
			t.Fatalf("%d streams in a quiet hour\n%s", len(cp.Watches()), a.log)
		}
	})
}

func TestReconnectsWhenAnAnswerHintsAtALostConfig(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		a := enrolled(t, cp, t.TempDir())
		cp.LoseConfigs()
		cp.SetConfig(config(1))
		for range 3 {
			a.Report(&agentv1.ReportRequest{})
			time.Sleep(6 * time.Second)
		}
		select {
		case <-a.Configs():
		default:
			t.Fatalf("the lost config was never received:\n%s", a.log)
		}
	})
}
