package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairlead.dev/agents/internal/adaptive"
	"fairlead.dev/agents/internal/controlplane/controlplanetest"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/mounttest"
)

func TestFiguresAreReceivedAtAnAddressThatOtherNodesReach(t *testing.T) {
	for _, test := range []struct{ setting, controlPlane, want, problem string }{
		{"10.0.0.1:7448", "", "10.0.0.1:7448", ""},
		{"[2001:db8::1]:7448", "https://127.0.0.1:7443", "[2001:db8::1]:7448", ""},
		{"", "https://127.0.0.1:7443", "", "set --mesh-listen"},
		{"", "", "", "set --mesh-listen, such as 10.0.0.1:7448"},
		{"0.0.0.0:7448", "", "", "isn't an address at which other nodes reach this one"},
		{"10.0.0.1", "", "", "isn't an address"},
	} {
		listen, err := meshListen(&settings{meshListen: test.setting, controlPlane: test.controlPlane})
		if err != nil && !errors.As(err, new(refusal)) {
			t.Errorf("%q: %v is no refusal", test.setting, err)
		}
		got := ""
		if err == nil {
			at, failed := listen(t.Context())
			if err = failed; err == nil {
				got = at.String()
			}
		}
		if got != test.want || (err == nil) != (test.problem == "") || err != nil && !strings.Contains(err.Error(), test.problem) {
			t.Errorf("%q with %q: %s (%v)", test.setting, test.controlPlane, got, err)
		}
	}
}

// Without the folder, there would be no limit.
func TestAMissingCgroupIsRejected(t *testing.T) {
	err := runAdaptive(t.Context(), &settings{meshListen: "10.0.0.1:7448", cpuCgroup: "/nonexistent"}, slog.New(slog.DiscardHandler))
	if !errors.As(err, new(refusal)) || !strings.Contains(err.Error(), "set --cpu-cgroup") {
		t.Errorf("%v", err)
	}
}

func TestTheRoleAdaptiveIsConfiguredByTheControlPlane(t *testing.T) {
	cgroup := mounttest.Cgroup(t)
	cp := controlplanetest.New(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	cp.ServeOn(listener)
	cp.SetConfig(&agentv1.NodeConfig{Revision: 1, ReportIntervalMs: 1000, Adaptive: &agentv1.AdaptiveRole{
		NodeId: "nod_1", Keys: &agentv1.MeshKeys{Current: []byte(strings.Repeat("k", 32))},
		Services: []*agentv1.AdaptiveService{{
			LoadBalancerId: "lb_1", Address: "10.96.0.10", Port: 80, Protocol: "tcp",
			Backends: []*agentv1.AdaptiveBackend{{Id: "be_1", Address: "127.0.0.1", Port: 8080, Weight: 1, State: "active", NodeId: "nod_1"}},
		}},
	}})
	tokenFile := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(tokenFile, []byte(cp.NewToken()), 0o600); err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("adaptive-%d", os.Getpid())
	pins := adaptive.PinsOf(name)
	t.Cleanup(func() { _ = os.RemoveAll(filepath.Dir(pins)) })

	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		done <- run(ctx, []string{
			"adaptive", "--control-plane=https://" + listener.Addr().String(), "--state=" + t.TempDir(), "--token-file=" + tokenFile,
			"--node-name=" + name, "--cgroup=" + cgroup, "--mesh-listen=127.0.0.1:7448",
		})
	}()
	newest := func() *agentv1.ReportRequest {
		if all := cp.Reports(); len(all) > 0 {
			return all[len(all)-1]
		}
		return nil
	}
	waitFor(t, "a report of the service", func() bool {
		status := newest().GetAdaptive()
		return len(status.GetServices()) == 1 && status.GetServices()[0].GetReady() && status.GetMeshAddress() == "127.0.0.1:7448" && status.GetCores() > 0
	})
	if _, err := os.Stat(pins); err != nil {
		t.Errorf("the folder of pins: %v", err)
	}
	cp.SetConfig(&agentv1.NodeConfig{Revision: 2, ReportIntervalMs: 1000})
	waitFor(t, "a report without the role", func() bool { return newest().GetObservedRevision() == 2 && newest().GetAdaptive() == nil })
	if _, err := os.Stat(pins); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder of pins: %v", err)
	}
	cancel()
	if err := <-done; err != nil {
		t.Errorf("run: %v", err)
	}
}
