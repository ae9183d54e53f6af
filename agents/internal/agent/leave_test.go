package agent_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"fairlead.dev/agents/internal/agent"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// leaving runs a role that takes as long to leave as it says, and tells what happened in order.
func leaving(t *testing.T, given *agentv1.NodeConfig, takes time.Duration) (steps []string, took time.Duration) {
	t.Helper()
	return leavingWith(t, scripted{}, given, takes)
}

func leavingWith(t *testing.T, link scripted, given *agentv1.NodeConfig, takes time.Duration) (steps []string, took time.Duration) {
	t.Helper()
	configs := make(chan *agentv1.NodeConfig, 1)
	if given != nil {
		configs <- given
	}
	ctx, end := context.WithCancel(t.Context())
	host := &agent.Fake[wish]{}
	done := make(chan error, 1)
	link.configs, link.report = configs, func(*agentv1.ReportRequest) { steps = append(steps, "report") }
	go func() {
		done <- agent.Run(ctx, agent.Options{
			Link:        link,
			StateFolder: t.TempDir(), Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		}, agent.Role[wish, wish]{
			Name: "test", Driver: host, Desired: parseWish,
			Fill: func(wish, *agentv1.ReportRequest) {},
			Leave: func(ctx context.Context) error {
				if host.Closed() {
					return errors.New("closed before it left")
				}
				steps = append(steps, "leave")
				select {
				case <-time.After(takes):
				case <-ctx.Done():
				}
				return nil
			},
		})
	}()
	time.Sleep(time.Minute)
	synctest.Wait()
	steps = nil
	asked := time.Now()
	end()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if !host.Closed() {
		t.Fatal("the driver was not closed")
	}
	return steps, time.Since(asked)
}

func TestARoleLeavesBeforeItIsClosedAndSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		steps, took := leaving(t, config(1, 1000), 5*time.Second)
		if !slices.Equal(steps, []string{"leave", "report"}) || took != 5*time.Second {
			t.Fatalf("%v within %s", steps, took)
		}
	})
}

func TestLeavingEndsAtLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if _, took := leaving(t, config(1, 1000), time.Hour); took != 2*time.Minute {
			t.Fatalf("it took %s", took)
		}
	})
}

func TestWhatNeverRanHasNothingToLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if steps, took := leaving(t, nil, time.Hour); len(steps) != 0 || took != 0 {
			t.Fatalf("%v within %s", steps, took)
		}
	})
}

func TestWhatIsSaidLastIsHeard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		looked := 0
		slow := scripted{waiting: func() int { looked++; return max(0, 50-looked) }}
		if steps, took := leavingWith(t, slow, config(1, 1000), 0); !slices.Equal(steps, []string{"leave", "report"}) || took != 490*time.Millisecond {
			t.Fatalf("%v within %s", steps, took)
		}
		away := scripted{waiting: func() int { return 1 }}
		if _, took := leavingWith(t, away, config(1, 1000), 0); took != 2*time.Second {
			t.Fatalf("without a control plane it took %s", took)
		}
	})
}
