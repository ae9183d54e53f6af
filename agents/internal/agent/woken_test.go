package agent_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fairlead.dev/agents/internal/agent"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

func TestWakeCallsWokenAtOnceAndReportsSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wake, calls, reports := make(chan struct{}, 1), 0, 0
		host, log := &agent.Fake[spec]{}, &journal{}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() {
			done <- agent.Run(ctx,
				agent.Options{Link: scripted{configs: make(chan *agentv1.NodeConfig)}, StateFolder: t.TempDir(), Log: slog.New(slog.NewTextHandler(log, nil))},
				agent.Role[spec, spec]{
					Driver: host, Desired: parseSpec,
					Wake: wake, Woken: func(context.Context) (bool, error) { calls++; return true, errors.New("the kernel is busy") },
					Fill: func(spec, *agentv1.ReportRequest) { reports++ },
				})
		}()
		time.Sleep(15 * time.Second) // past the first two reports
		synctest.Wait()
		before := reports
		for range 3 {
			wake <- struct{}{}
			synctest.Wait()
		}
		if calls != 3 || strings.Count(log.String(), "the kernel is busy") != 1 {
			t.Errorf("%d calls\n%s", calls, log)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if reports == before {
			t.Error("nothing was reported within a second")
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func TestStaleAppliesTheConfigAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stale, parsed := make(chan struct{}, 1), 0
		host, configs := &agent.Fake[spec]{}, make(chan *agentv1.NodeConfig, 1)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() {
			done <- agent.Run(ctx,
				agent.Options{Link: scripted{configs: configs}, StateFolder: t.TempDir(), Log: slog.New(slog.DiscardHandler)},
				agent.Role[spec, spec]{
					Driver: host, Stale: stale, Fill: func(spec, *agentv1.ReportRequest) {},
					Desired: func(config *agentv1.NodeConfig) (spec, error) { parsed++; return parseSpec(config) },
				})
		}()
		configs <- config(1, 1000)
		synctest.Wait()
		before, wanted := parsed, host.Host()
		host.Damage(spec{})
		stale <- struct{}{}
		synctest.Wait()
		if got := host.Host(); parsed != before+1 || got != wanted || wanted == (spec{}) {
			t.Errorf("parsed %d times more, and the host is %+v", parsed-before, got)
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}
