package agent_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"

	"fairlead.dev/agents/internal/agent"
	"fairlead.dev/agents/internal/controlplane/controlplanetest"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// recorder is a driver that records its calls in order.
type recorder struct {
	agent.Fake[spec]
	reported []string
}

func (r *recorder) Set(ctx context.Context, desired spec) (int, error) {
	r.reported = append(r.reported, fmt.Sprint(desired.SampleMs))
	return r.Fake.Set(ctx, desired)
}

func TestBehindIsReportedToTheRole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		folder := t.TempDir()
		run := func(link scripted) (host *recorder, stop func()) {
			host = &recorder{}
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error)
			go func() {
				done <- agent.Run(ctx, agent.Options{Link: link, StateFolder: folder, Log: slog.New(slog.DiscardHandler)}, agent.Role[spec, spec]{
					Driver: host, Desired: parseSpec, Fill: func(spec, *agentv1.ReportRequest) {},
					Behind: func(is bool) { host.reported = append(host.reported, fmt.Sprint("behind ", is)) },
				})
			}()
			return host, func() {
				cancel()
				if err := <-done; err != nil {
					t.Error(err)
				}
			}
		}
		link := scripted{configs: make(chan *agentv1.NodeConfig)}
		first, stop := run(link)
		link.configs <- config(5, 1000)
		synctest.Wait()
		stop()
		if want := []string{"behind true", "1000", "behind false"}; !slices.Equal(first.reported, want) {
			t.Errorf("first run: got %q, want %q", first.reported, want)
		}
		again, stop := run(link)
		synctest.Wait()
		if want := []string{"behind true", "1000"}; !slices.Equal(again.reported, want) {
			t.Errorf("before a connection: got %q, want %q", again.reported, want)
		}
		link.configs <- config(5, 1000)
		synctest.Wait()
		stop()
		if want := []string{"behind true", "1000", "behind true", "behind false"}; !slices.Equal(again.reported, want) {
			t.Errorf("after its own config was received again: got %q, want %q", again.reported, want)
		}
	})
}

func TestAConfigReplacedWhileItIsAppliedIsNotTheNewest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		link := scripted{configs: make(chan *agentv1.NodeConfig, 1)}
		var reported []bool
		host := &agent.Fake[spec]{}
		host.FailWhen(func(desired spec) (spec, error) {
			if desired.SampleMs == 1000 {
				link.configs <- config(6, 2000)
			}
			return desired, nil
		})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() {
			done <- agent.Run(ctx, agent.Options{Link: link, StateFolder: t.TempDir(), Log: slog.New(slog.DiscardHandler)}, agent.Role[spec, spec]{
				Driver: host, Desired: parseSpec, Fill: func(spec, *agentv1.ReportRequest) {}, Behind: func(is bool) { reported = append(reported, is) },
			})
		}()
		link.configs <- config(5, 1000)
		synctest.Wait()
		link.configs <- config(7, 3000) // like any later one
		synctest.Wait()
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if want := []bool{true, true, false}; !slices.Equal(reported, want) {
			t.Errorf("got %v, want %v", reported, want)
		}
	})
}

// Otherwise an agent with the newest config would never know that it is.
func TestTheControlPlaneSendsARestartedAgentItsConfigAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp, folder := controlplanetest.New(t), t.TempDir()
		first := start(t, cp, folder, &agent.Fake[spec]{})
		cp.SetConfig(config(7, 1000))
		synctest.Wait()
		first.stop()
		again := start(t, cp, folder, &agent.Fake[spec]{})
		synctest.Wait()
		if last := again.behind.Load(); last == nil || *last {
			t.Errorf("behind is still %v", last)
		}
	})
}
