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

// recorder is a driver that notes what it is told, and in which order.
type recorder struct {
	agent.Fake[wish]
	told []string
}

func (r *recorder) Set(ctx context.Context, desired wish) (int, error) {
	r.told = append(r.told, fmt.Sprint(desired.SampleMs))
	return r.Fake.Set(ctx, desired)
}

func TestARoleIsToldWhetherItsConfigWasSavedOrIsTheNewest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		folder := t.TempDir()
		run := func(link scripted) (host *recorder, stop func()) {
			host = &recorder{}
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error)
			go func() {
				done <- agent.Run(ctx, agent.Options{Link: link, StateFolder: folder, Log: slog.New(slog.DiscardHandler)}, agent.Role[wish, wish]{
					Driver: host, Desired: parseWish, Fill: func(wish, *agentv1.ReportRequest) {},
					FromSaved: func(saved bool) { host.told = append(host.told, fmt.Sprint("saved ", saved)) },
				})
			}()
			return host, func() {
				cancel()
				if err := <-done; err != nil {
					t.Error(err)
				}
			}
		}
		link := scripted{make(chan *agentv1.NodeConfig)}
		first, stop := run(link)
		link.configs <- config(5, 1000)
		synctest.Wait()
		stop()
		if want := []string{"1000", "saved false"}; !slices.Equal(first.told, want) {
			t.Errorf("at first it was told %q, want %q", first.told, want)
		}
		again, stop := run(link)
		synctest.Wait()
		if want := []string{"saved true", "1000"}; !slices.Equal(again.told, want) {
			t.Errorf("before anybody spoke it was told %q, want %q", again.told, want)
		}
		link.configs <- config(5, 1000)
		synctest.Wait()
		stop()
		if want := []string{"saved true", "1000", "saved false"}; !slices.Equal(again.told, want) {
			t.Errorf("after its own config came again it was told %q, want %q", again.told, want)
		}
	})
}

// Without it an agent whose config is the newest would never learn that it is.
func TestAControlPlaneGivesARestartedAgentItsOwnConfigAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp, folder := controlplanetest.New(t), t.TempDir()
		first := start(t, cp, folder, &agent.Fake[wish]{})
		cp.SetConfig(config(7, 1000))
		synctest.Wait()
		first.stop()
		again := start(t, cp, folder, &agent.Fake[wish]{})
		synctest.Wait()
		if last := again.saved.Load(); last == nil || *last {
			t.Errorf("it believes to be on an old config: %v", last)
		}
	})
}
