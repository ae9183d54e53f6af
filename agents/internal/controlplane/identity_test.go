package controlplane_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fairlead.dev/agents/internal/controlplane"
	"fairlead.dev/agents/internal/controlplane/controlplanetest"
)

func TestTheKeyIsReadableByItsOwnerOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		folder := t.TempDir()
		enrolled(t, controlplanetest.New(t), folder)
		entries, err := os.ReadDir(folder)
		if err != nil || len(entries) != 1 {
			t.Fatalf("state folder = %v, %v; the enrolment's own key should be gone", entries, err)
		}
		info, err := entries[0].Info()
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Fatalf("mode = %v, %v", info.Mode(), err)
		}
	})
}

func TestADamagedIdentityIsReportedAndReplacedWithANewToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp, folder := controlplanetest.New(t), t.TempDir()
		path := filepath.Join(folder, "identity.json")
		if err := os.WriteFile(path, []byte(`{"agentId":`), 0o600); err != nil {
			t.Fatal(err)
		}
		lost := start(t, controlplane.Options{StateFolder: folder, Dial: cp.Network.Dial})
		if err := <-lost.err; err == nil || !strings.Contains(err.Error(), "is damaged; delete it and enrol with a new token") {
			t.Fatalf("err = %v", err)
		}
		enrolled(t, cp, folder)
		if cp.Enrolments() != 1 {
			t.Fatalf("enrolments = %d", cp.Enrolments())
		}
	})
}

func TestAnAgentWithAnExpiredCertificateEnrolsWithANewToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp, folder := controlplanetest.New(t), t.TempDir()
		cp.SetCertificateLife(24 * time.Hour)
		enrolled(t, cp, folder).stop()
		time.Sleep(48 * time.Hour)

		// Without a token it keeps running, for the host, and logs the reason.
		lonely := start(t, controlplane.Options{StateFolder: folder, Dial: cp.Network.Dial})
		time.Sleep(10 * time.Minute)
		if lonely.log.count("this agent's certificate expired") != 1 || lonely.log.count("refuses this agent") == 0 {
			t.Fatalf("log:\n%s", lonely.log)
		}
		lonely.stop()

		enrolled(t, cp, folder)
		if cp.Enrolments() != 2 {
			t.Fatalf("enrolments = %d", cp.Enrolments())
		}
	})
}
