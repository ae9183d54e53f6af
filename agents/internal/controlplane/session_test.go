package controlplane_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"connectrpc.com/connect"

	"fairlead.dev/agents/internal/controlplane"
	"fairlead.dev/agents/internal/controlplane/controlplanetest"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// agent is a running session and what it logged.
type agent struct {
	*controlplane.Session
	log  *journal
	stop func()
	err  chan error
}

// start runs a session until the test ends or stop is called.
func start(t *testing.T, options controlplane.Options) *agent {
	t.Helper()
	log := &journal{}
	options.URL = controlplanetest.URL
	options.NodeName = "node-a"
	options.Info = &agentv1.AgentInfo{Version: "test"}
	options.Log = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	ctx, cancel := context.WithCancel(t.Context())
	a := &agent{Session: controlplane.NewSession(options), log: log, err: make(chan error, 1)}
	var running sync.WaitGroup
	running.Go(func() { a.err <- a.Run(ctx, 0) })
	a.stop = func() { cancel(); running.Wait() }
	t.Cleanup(a.stop)
	return a
}

// enrolled starts a session with a fresh token and waits until it watches.
func enrolled(t *testing.T, cp *controlplanetest.ControlPlane, folder string) *agent {
	t.Helper()
	a := start(t, controlplane.Options{Token: token(t, cp), StateFolder: folder, Dial: cp.Network.Dial})
	synctest.Wait()
	if len(cp.Watches()) == 0 {
		t.Fatalf("the agent does not watch:\n%s", a.log)
	}
	return a
}

func token(t *testing.T, cp *controlplanetest.ControlPlane) *controlplane.Token {
	t.Helper()
	token, err := controlplane.ParseToken(cp.NewToken())
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func config(revision uint64) *agentv1.NodeConfig { return &agentv1.NodeConfig{Revision: revision} }

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

func (j *journal) count(part string) int { return strings.Count(j.String(), part) }

func TestEnrolsOnceAndReconnectsWithItsCertificate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp, folder := controlplanetest.New(t), t.TempDir()
		first := enrolled(t, cp, folder)
		first.stop()

		// The token is spent; it must not be needed, nor harm, any more.
		again := start(t, controlplane.Options{Token: token(t, cp), StateFolder: folder, Dial: cp.Network.Dial})
		synctest.Wait()

		if cp.Enrolments() != 1 || len(cp.Watches()) != 2 || len(cp.Serials()) != 1 {
			t.Fatalf("enrolments %d, watches %d, certificates %v\n%s", cp.Enrolments(), len(cp.Watches()), cp.Serials(), again.log)
		}
	})
}

func TestRefusesAControlPlaneWhoseCADoesNotMatchTheToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		genuine, impostor := controlplanetest.New(t), controlplanetest.New(t)
		a := start(t, controlplane.Options{Token: token(t, genuine), StateFolder: t.TempDir(), Dial: impostor.Network.Dial})

		if err := <-a.err; !errors.Is(err, controlplane.ErrAuthority) {
			t.Fatalf("err = %v", err)
		}
		if impostor.Enrolments() != 0 {
			t.Fatal("the token was shown to an impostor")
		}
	})
}

func TestASpentTokenIsSaidInOneSentence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		spent := token(t, cp)
		start(t, controlplane.Options{Token: spent, StateFolder: t.TempDir(), Dial: cp.Network.Dial})
		synctest.Wait()

		second := start(t, controlplane.Options{Token: spent, StateFolder: t.TempDir(), Dial: cp.Network.Dial})
		if err := <-second.err; err == nil || err.Error() != "the control plane refused the enrolment: this token was used already" {
			t.Fatalf("err = %v", err)
		}
	})
}

func TestEnrolsWhenTheControlPlaneComesLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		cp.Network.Cut()
		a := start(t, controlplane.Options{Token: token(t, cp), StateFolder: t.TempDir(), Dial: cp.Network.Dial})
		time.Sleep(10 * time.Minute)
		if dials := cp.Network.Dials(); dials < 15 || dials > 60 {
			t.Errorf("%d tries in ten minutes", dials)
		}
		cp.Network.Mend()
		time.Sleep(31 * time.Second)

		if cp.Enrolments() != 1 || a.log.count("level=WARN") != 1 {
			t.Fatalf("enrolments %d\n%s", cp.Enrolments(), a.log)
		}
	})
}

func TestReceivesTheNewestConfigAndSkipsTheOnesBetween(t *testing.T) {
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
		cp.SetConfig(config(4)) // a control plane restored from a backup
		synctest.Wait()
		select {
		case old := <-a.Configs():
			t.Fatalf("got revision %d again", old.GetRevision())
		default:
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

func TestNoticesAControlPlaneThatFroze(t *testing.T) {
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

func TestNoticesAStreamThatIsOpenButSilent(t *testing.T) {
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
			t.Fatal("the connection was fine, only the stream had to be opened anew")
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

func TestAsksAgainWhenAnAnswerHintsAtAConfigTheStreamLost(t *testing.T) {
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
			t.Fatalf("the lost config never came:\n%s", a.log)
		}
	})
}

func TestARevokedAgentSaysSoAndAsksSeldom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		a := enrolled(t, cp, t.TempDir())
		cp.Refuse(connect.NewError(connect.CodePermissionDenied, errors.New("this agent was revoked")))
		a.Report(&agentv1.ReportRequest{})
		time.Sleep(time.Hour)

		said := a.log.count("the control plane refuses this agent; the host stays as it is")
		if said < 10 || said > 30 || a.log.count("this agent was revoked") == 0 {
			t.Fatalf("said %d times\n%s", said, a.log)
		}
		if dials := cp.Network.Dials(); dials > 40 {
			t.Fatalf("%d connections in an hour", dials)
		}

		cp.Refuse(nil)
		time.Sleep(6 * time.Minute)
		if len(cp.Reports()) != 1 {
			t.Fatalf("the report was not kept through the refusal\n%s", a.log)
		}
	})
}

func TestRenewsItsCertificateInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp, folder := controlplanetest.New(t), t.TempDir()
		cp.SetCertificateLife(24 * time.Hour)
		a := enrolled(t, cp, folder)
		time.Sleep(15 * time.Hour)
		if cp.Renewals() != 0 {
			t.Fatal("renewed too early")
		}
		cp.SetConfig(config(1))
		time.Sleep(2 * time.Hour)

		if cp.Renewals() != 1 || len(cp.Serials()) != 2 || len(cp.Watches()) != 2 {
			t.Fatalf("renewals %d, certificates %v, watches %d\n%s", cp.Renewals(), cp.Serials(), len(cp.Watches()), a.log)
		}
		stored, err := controlplane.LoadIdentity(folder)
		if err != nil || stored.Certificate.SerialNumber.String() != cp.Serials()[1] {
			t.Fatalf("the renewed certificate is not on disk: %v", err)
		}
	})
}

func TestKeepsTryingToRenewWhileTheControlPlaneIsAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		cp.SetCertificateLife(24 * time.Hour)
		a := enrolled(t, cp, t.TempDir())
		cp.Network.Cut()
		time.Sleep(20 * time.Hour)
		cp.Network.Mend()
		time.Sleep(2 * time.Minute)
		if cp.Renewals() != 1 {
			t.Fatalf("renewals %d\n%s", cp.Renewals(), a.log)
		}
	})
}

func TestWithoutIdentityAndTokenItSaysHowToGetOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		a := start(t, controlplane.Options{StateFolder: t.TempDir(), Dial: cp.Network.Dial})
		if err := <-a.err; !errors.Is(err, controlplane.ErrNoToken) {
			t.Fatalf("err = %v", err)
		}
	})
}
