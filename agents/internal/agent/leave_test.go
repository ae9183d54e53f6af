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

// leaving runs a role that needs this time to leave, and returns the steps in order.
func leaving(t *testing.T, given *agentv1.NodeConfig, takes time.Duration) (steps []string, took time.Duration) {
	t.Helper()
	return leavingWith(t, scripted{}, given, nil, takes, nil)
}

func leavingWith(
	t *testing.T, link scripted, given, later *agentv1.NodeConfig, takes time.Duration, most func(spec) time.Duration,
) (steps []string, took time.Duration) {
	t.Helper()
	configs := make(chan *agentv1.NodeConfig, 1)
	if given != nil {
		configs <- given
	}
	ctx, end := context.WithCancel(t.Context())
	host, wake, began := &agent.Fake[spec]{}, make(chan struct{}, 1), time.Time{}
	done := make(chan error, 1)
	link.configs, link.report = configs, func(*agentv1.ReportRequest) { steps = append(steps, "report") }
	go func() {
		done <- agent.Run(ctx, agent.Options{
			Link:        link,
			StateFolder: t.TempDir(), Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		}, agent.Role[spec, spec]{
			Name: "test", Driver: host, Desired: parseSpec,
			Fill: func(spec, *agentv1.ReportRequest) {},
			Wake: wake, Woken: func(context.Context) (bool, error) { return false, nil },
			LeaveMost: most,
			Leave: func(context.Context) (bool, error) {
				if host.Closed() {
					return false, errors.New("closed before it left")
				}
				if began.IsZero() {
					began = time.Now()
					steps = append(steps, "leave")
					time.AfterFunc(takes, func() { wake <- struct{}{} })
				}
				return time.Since(began) >= takes, nil
			},
		})
	}()
	time.Sleep(time.Minute)
	synctest.Wait()
	steps = nil
	requestedAt := time.Now()
	end()
	if later != nil {
		configs <- later
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if !host.Closed() {
		t.Fatal("the driver was not closed")
	}
	if later != nil && host.Host().SampleMs != later.GetNode().GetSampleIntervalMs() {
		t.Errorf("a config received while leaving was not applied: %+v", host.Host())
	}
	return steps, time.Since(requestedAt)
}

func TestARoleLeavesAndReportsBeforeItIsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		steps, took := leaving(t, config(1, 1000), 5*time.Second)
		if steps[0] != "leave" || steps[len(steps)-1] != "report" || took != 5*time.Second {
			t.Fatalf("%v within %s", steps, took)
		}
	})
}

func TestLeavingIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if _, took := leaving(t, config(1, 1000), time.Hour); took != 2*time.Minute {
			t.Fatalf("took %s", took)
		}
	})
}

// Leaving may take as long as the role allows. Meanwhile the agent still receives configs and
// reports.
func TestLeavingTakesAsLongAsTheRoleAllows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		most := func(spec) time.Duration { return 90 * time.Minute }
		steps, took := leavingWith(t, scripted{}, config(1, 1000), config(2, 2000), time.Hour, most)
		if took != time.Hour || steps[0] != "leave" || len(steps) < 300 {
			t.Fatalf("%d steps within %s", len(steps), took)
		}
		if _, took := leavingWith(t, scripted{}, config(1, 1000), nil, 2*time.Hour, most); took != 90*time.Minute {
			t.Fatalf("took %s", took)
		}
	})
}

func TestARoleThatNeverRanDoesNotLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if steps, took := leaving(t, nil, time.Hour); len(steps) != 0 || took != 0 {
			t.Fatalf("%v within %s", steps, took)
		}
	})
}

func TestTheLastReportIsDelivered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		looked := 0
		slow := scripted{waiting: func() int { looked++; return max(0, 50-looked) }}
		if steps, took := leavingWith(t, slow, config(1, 1000), nil, 0, nil); !slices.Equal(steps, []string{"leave", "report"}) || took != 490*time.Millisecond {
			t.Fatalf("%v within %s", steps, took)
		}
		away := scripted{waiting: func() int { return 1 }}
		if _, took := leavingWith(t, away, config(1, 1000), nil, 0, nil); took != 2*time.Second {
			t.Fatalf("without a control plane took %s", took)
		}
	})
}
