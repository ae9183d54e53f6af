package fleet

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"fairlead.dev/agents/internal/controlplane"
)

// Options are the size and behavior of the fleet.
type Options struct {
	URL         string
	Agents      int
	Folder      string                // one identity per agent, kept between runs
	Tokens      []*controlplane.Token // for the agents that have no identity yet
	NamePrefix  string
	ReportEvery time.Duration
	Series      int // per report
	Points      int // per series and report
	Ramp        time.Duration
	Warmup      time.Duration // after the ramp; what happens until then is not counted
	Drain       time.Duration // how long answers may take after the end
	PrintEvery  time.Duration
	Log         *slog.Logger
	Dial        controlplane.DialFunc // nil: the real network
}

// Run runs the fleet until ctx ends, prints figures periodically, and returns the summary. It fails
// early if an agent can't enrol, because the load would be wrong.
func Run(ctx context.Context, options Options, print func(Figures)) (Figures, error) {
	tokens, err := assignTokens(options)
	if err != nil {
		return Figures{}, err
	}
	tally := newTally(time.Now().Add(options.Ramp + options.Warmup))
	parent := ctx
	ctx, stopReporting := context.WithCancelCause(parent)
	defer stopReporting(nil)
	// Sessions outlive the reporting, so that reports in transit are delivered.
	sessions, hangUp := context.WithCancel(context.Background())

	fleet := make([]*simulated, options.Agents)
	var running, reporting sync.WaitGroup
	for i := range fleet {
		agent := newSimulated(options, i, tokens[i], tally)
		fleet[i] = agent
		delay := options.Ramp * time.Duration(i) / time.Duration(options.Agents)
		running.Go(func() {
			if !wait(sessions, delay) {
				return
			}
			if err := agent.session.Run(sessions, 0); err != nil && sessions.Err() == nil {
				stopReporting(fmt.Errorf("agent %s: %w", nodeName(options, i), err))
			}
		})
		reporting.Go(func() {
			if wait(ctx, delay) {
				agent.report(ctx)
			}
		})
	}

	printUntil(ctx, options, tally, print)
	ended := time.Now()
	reporting.Wait()
	drain(fleet, options.Drain)
	hangUp()
	running.Wait()
	if cause := context.Cause(ctx); parent.Err() == nil {
		return Figures{}, cause // the caller did not end it
	}
	return tally.summary(options.Agents, ended), nil
}

func printUntil(ctx context.Context, options Options, tally *tally, print func(Figures)) {
	tick := time.NewTicker(options.PrintEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			print(tally.figures(options.Agents, time.Now()))
		}
	}
}

// drain waits until everything is acknowledged, up to the limit.
func drain(fleet []*simulated, most time.Duration) {
	deadline := time.Now().Add(most)
	for _, agent := range fleet {
		for agent.session.Waiting() > 0 && time.Now().Before(deadline) {
			time.Sleep(10 * time.Millisecond)
		}
	}
}

func wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// assignTokens gives one token to each agent that was never enrolled.
func assignTokens(options Options) ([]*controlplane.Token, error) {
	assigned := make([]*controlplane.Token, options.Agents)
	left := options.Tokens
	missing := 0
	for i := range assigned {
		folder := stateFolder(options, i)
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return nil, fmt.Errorf("create the folder of an identity: %w", err)
		}
		if _, err := controlplane.LoadIdentity(folder); err == nil {
			continue
		}
		if len(left) == 0 {
			missing++
			continue
		}
		assigned[i], left = left[0], left[1:]
	}
	if missing > 0 {
		return nil, fmt.Errorf("%d of %d agents have neither an identity in %s nor a token: put %d more into the token file, one per line",
			missing, options.Agents, options.Folder, missing)
	}
	return assigned, nil
}

func nodeName(options Options, index int) string {
	return fmt.Sprintf("%s%05d", options.NamePrefix, index+1)
}

func stateFolder(options Options, index int) string {
	return filepath.Join(options.Folder, nodeName(options, index))
}
