package lab_test

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"fairlead.dev/agents/internal/controlplane/controlplanetest"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

func TestAgentsDialTheControlPlaneAndKeepTheirIdentity(t *testing.T) {
	t.Parallel()
	for _, user := range []struct {
		name       string
		id         int
		credential *syscall.Credential
	}{
		{"root", 0, nil},
		{"nobody", 65534, &syscall.Credential{Uid: 65534, Gid: 65534}},
	} {
		t.Run(user.name, func(t *testing.T) {
			l := newTestLab(t, "cp", "pods: []\n")
			l.credential = user.credential
			cp := controlplanetest.New(t)
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			cp.ServeOn(listener)
			cp.SetConfig(&agentv1.NodeConfig{Revision: 1, ReportIntervalMs: 1000, Node: &agentv1.NodeRole{SampleIntervalMs: 100}})
			tokens, state := filepath.Join(filepath.Dir(l.file), "tokens"), filepath.Join(filepath.Dir(l.file), "state")
			for _, folder := range []string{l.root, tokens, state} {
				if err := os.Mkdir(folder, 0o700); err != nil {
					t.Fatal(err)
				}
			}
			for _, agent := range []string{"node-1", "node-2", "lb-1", "lb-2"} {
				if err := os.WriteFile(filepath.Join(tokens, agent), []byte(cp.NewToken()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			for _, path := range []string{filepath.Dir(l.file), l.root, tokens, state} {
				if err := os.Chown(path, user.id, user.id); err != nil {
					t.Fatal(err)
				}
			}
			flags := []string{"--detach", "--control-plane", "https://" + listener.Addr().String(), "--tokens", tokens, "--state", state}
			l.must("up", flags...)
			// Without a role balancers report nothing, but they watch.
			l.waitFor("four agents", func() bool { return cp.Enrolments() == 4 && len(cp.Watches()) >= 4 })
			l.waitFor("reports", func() bool { return len(cp.Reports()) > 4 })
			l.must("down")
			l.mustBeRemoved()
			watches := len(cp.Watches())
			l.must("up", flags...)
			l.waitFor("four agents again", func() bool { return len(cp.Watches()) >= watches+4 })
			if cp.Enrolments() != 4 {
				t.Errorf("%d enrolments", cp.Enrolments())
			}
			if _, err := os.Stat(filepath.Join(l.root, l.name, "lb-1", "config.json")); err == nil {
				t.Error("the lab wrote a config although there is a control plane")
			}
		})
	}
}
