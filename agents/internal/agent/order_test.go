package agent_test

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"

	"fairlead.dev/agents/internal/agent"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// scripted is a link with prepared configs.
type scripted struct {
	configs chan *agentv1.NodeConfig
	report  func(*agentv1.ReportRequest) // nil: reports are discarded
	waiting func() int                   // nil: all are acknowledged
}

func (s scripted) Run(ctx context.Context, _ uint64) error { <-ctx.Done(); return nil }
func (s scripted) Configs() <-chan *agentv1.NodeConfig     { return s.configs }

func (s scripted) Waiting() int {
	if s.waiting == nil {
		return 0
	}
	return s.waiting()
}

func (s scripted) Report(report *agentv1.ReportRequest) {
	if s.report != nil {
		s.report(report)
	}
}

func TestTheLoopNeverAppliesAnOlderRevision(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		host, link := &agent.Fake[spec]{}, scripted{configs: make(chan *agentv1.NodeConfig)}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() {
			done <- agent.Run(ctx, agent.Options{Link: link, StateFolder: t.TempDir(), Log: slog.New(slog.DiscardHandler)},
				agent.Role[spec, spec]{Driver: host, Desired: parseSpec, Fill: func(spec, *agentv1.ReportRequest) {}})
		}()
		for _, c := range []*agentv1.NodeConfig{config(5, 1000), config(5, 2000), config(4, 3000)} {
			link.configs <- c
			synctest.Wait()
		}
		if host.Host() != (spec{1000}) {
			t.Errorf("host %v", host.Host())
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}
