package controlplane_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"connectrpc.com/connect"

	"fairlead.dev/agents/internal/controlplane"
	"fairlead.dev/agents/internal/controlplane/controlplanetest"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

func TestEnrolsOnceAndReconnectsWithItsCertificate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp, folder := controlplanetest.New(t), t.TempDir()
		first := enrolled(t, cp, folder)
		first.stop()

		// The token is used up; it must be neither needed nor harmful.
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
			t.Fatal("the token was sent to another server")
		}
	})
}

func TestFollowsATokenToAnotherControlPlane(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		former, next, folder := controlplanetest.New(t), controlplanetest.New(t), t.TempDir()
		enrolled(t, former, folder).stop()

		moved := start(t, controlplane.Options{Token: token(t, next), StateFolder: folder, Dial: next.Network.Dial})
		synctest.Wait()
		if next.Enrolments() != 1 || len(next.Watches()) != 1 {
			t.Fatalf("enrolments %d, watches %d\n%s", next.Enrolments(), len(next.Watches()), moved.log)
		}
		moved.stop()

		// The first, used token is still configured.
		back := start(t, controlplane.Options{Token: token(t, former), StateFolder: folder, Dial: next.Network.Dial})
		synctest.Wait()
		if len(next.Watches()) != 2 || next.Enrolments() != 1 {
			t.Fatalf("an old token made the agent discard its identity\n%s", back.log)
		}
	})
}

func TestAUsedTokenIsReportedInOneSentence(t *testing.T) {
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

func TestEnrolsWhenTheControlPlaneStartsLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		cp.Network.Cut()
		a := start(t, controlplane.Options{Token: token(t, cp), StateFolder: t.TempDir(), Dial: cp.Network.Dial})
		time.Sleep(10 * time.Minute)
		if dials := cp.Network.Dials(); dials < 15 || dials > 60 {
			t.Errorf("%d attempts in ten minutes", dials)
		}
		cp.Network.Mend()
		time.Sleep(31 * time.Second)

		if cp.Enrolments() != 1 || a.log.count("level=WARN") != 1 {
			t.Fatalf("enrolments %d\n%s", cp.Enrolments(), a.log)
		}
	})
}

func TestARevokedAgentLogsThatAndRetriesRarely(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		a := enrolled(t, cp, t.TempDir())
		cp.Refuse(connect.NewError(connect.CodePermissionDenied, errors.New("this agent was revoked")))
		a.Report(&agentv1.ReportRequest{})
		time.Sleep(time.Hour)

		logged := a.log.count("the control plane refuses this agent; the host stays as it is")
		if logged < 10 || logged > 30 || a.log.count("this agent was revoked") == 0 {
			t.Fatalf("logged %d times\n%s", logged, a.log)
		}
		if dials := cp.Network.Dials(); dials > 40 {
			t.Fatalf("%d connections in an hour", dials)
		}

		cp.Refuse(nil)
		time.Sleep(6 * time.Minute)
		if len(cp.Reports()) != 1 {
			t.Fatalf("the report was lost during the refusal\n%s", a.log)
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

func TestRetriesRenewalDuringAnOutage(t *testing.T) {
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

func TestRenewalBacksOffDuringAnOutage(t *testing.T) {
	tries(t, func(cp *controlplanetest.ControlPlane) { cp.Network.Cut() }, []tried{{40 * time.Second, 6, 9}, {time.Hour, 110, 250}})
}

func TestARevokedAgentRarelyRetriesRenewal(t *testing.T) {
	tries(t, func(cp *controlplanetest.ControlPlane) {
		cp.Refuse(connect.NewError(connect.CodeUnauthenticated, errors.New("this agent was revoked")))
	}, []tried{{time.Minute, 1, 1}, {time.Hour, 12, 25}})
}

// tried is how often a renewal should have been attempted by then.
type tried struct {
	after       time.Duration
	least, most int
}

func tries(t *testing.T, trouble func(*controlplanetest.ControlPlane), all []tried) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		cp, folder := controlplanetest.New(t), t.TempDir()
		cp.SetCertificateLife(24 * time.Hour)
		a := enrolled(t, cp, folder)
		identity, err := controlplane.LoadIdentity(folder)
		if err != nil {
			t.Fatal(err)
		}
		trouble(cp)
		due := identity.RenewAt()
		for _, want := range all {
			time.Sleep(time.Until(due.Add(want.after)))
			if n := a.log.count("can't renew the agent's certificate"); n < want.least || n > want.most {
				t.Errorf("%d tries in the first %s, want %d to %d", n, want.after, want.least, want.most)
			}
		}
	})
}

func TestWithoutIdentityAndTokenTheErrorExplainsEnrolment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		a := start(t, controlplane.Options{StateFolder: t.TempDir(), Dial: cp.Network.Dial})
		if err := <-a.err; !errors.Is(err, controlplane.ErrNoToken) {
			t.Fatalf("err = %v", err)
		}
	})
}
