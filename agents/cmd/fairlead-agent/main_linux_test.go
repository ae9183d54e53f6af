package main

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fairlead.dev/agents/internal/controlplane/controlplanetest"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// This test uses real sockets and the real host; details are tested in memory with a fake clock in
// the packages below.
func TestAnAgentEnrolsOverTheNetworkAndReportsThisHost(t *testing.T) {
	cp := controlplanetest.New(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	cp.ServeOn(listener)
	cp.SetConfig(&agentv1.NodeConfig{Revision: 1, ReportIntervalMs: 1000, Node: &agentv1.NodeRole{SampleIntervalMs: 100}})
	state, tokenFile := t.TempDir(), filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(tokenFile, []byte(cp.NewToken()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}

	start := func() (stop func()) {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			done <- run(ctx, []string{
				"node", "--control-plane=https://" + listener.Addr().String(), "--state=" + state,
				"--token-file=" + tokenFile, "--node-name=test", "--metrics-listen=127.0.0.1:0",
			})
		}()
		return func() {
			cancel()
			if err := <-done; err != nil {
				t.Errorf("run: %v", err)
			}
		}
	}

	stop := start()
	waitFor(t, "a report with facts and a CPU series", func() bool {
		facts, cpu := false, false
		for _, report := range cp.Reports() {
			facts = facts || len(report.GetFacts().GetKernelFeatures()) > 0
			for _, series := range report.GetSeries() {
				cpu = cpu || series.GetMetric() == "cpuUtilizationRatio"
			}
		}
		return facts && cpu
	})
	stop()

	watches := len(cp.Watches())
	stop = start() // the same token file, now used, and a port that was closed
	waitFor(t, "a second stream", func() bool { return len(cp.Watches()) > watches })
	stop()
	if cp.Enrolments() != 1 {
		t.Fatalf("%d enrolments", cp.Enrolments())
	}
}

func waitFor(t *testing.T, what string, condition func() bool) {
	t.Helper()
	deadline := time.After(time.Minute)
	for !condition() {
		select {
		case <-deadline:
			t.Fatalf("no %s within a minute", what)
		case <-time.After(10 * time.Millisecond):
		}
	}
}
