package agent_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"fairlead.dev/agents/internal/agent"
	"fairlead.dev/agents/internal/controlplane"
	"fairlead.dev/agents/internal/controlplane/controlplanetest"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// wish is what the test's role takes from a config.
type wish struct {
	SampleMs uint32
}

type running struct {
	host   *agent.Fake[wish]
	log    *journal
	behind atomic.Pointer[bool] // told last
	stop   func()
	err    error
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
			Name: "test", Driver: host, Desired: parseWish, Behind: func(is bool) { r.behind.Store(&is) },
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
