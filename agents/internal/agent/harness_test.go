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

// spec is the part of a config that the test's role uses.
type spec struct {
	SampleMs uint32
}

type running struct {
	host   *agent.Fake[spec]
	log    *journal
	behind atomic.Pointer[bool] // the last value
	stop   func()
	err    error
}

// start runs a complete agent with a fake host, until the test ends or stop is called.
func start(t *testing.T, cp *controlplanetest.ControlPlane, folder string, host *agent.Fake[spec]) *running {
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
		r.err = agent.Run(ctx, agent.Options{Link: session, StateFolder: folder, Log: log}, agent.Role[spec, spec]{
			Name: "test", Driver: host, Desired: parseSpec, Behind: func(is bool) { r.behind.Store(&is) },
			Fill: func(seen spec, report *agentv1.ReportRequest) {
				report.Facts = &agentv1.NodeFacts{CpuCount: seen.SampleMs}
			},
		})
	})
	r.stop = func() { cancel(); loop.Wait() }
	t.Cleanup(r.stop)
	return r
}

func parseSpec(config *agentv1.NodeConfig) (spec, error) {
	if config.GetNode().GetSampleIntervalMs() == 13 {
		return spec{}, errors.New("13 is not an interval")
	}
	return spec{config.GetNode().GetSampleIntervalMs()}, nil
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
