package churn

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fairlead.dev/agents/internal/bench/benchlab"
	"fairlead.dev/agents/internal/bench/models"
	"fairlead.dev/agents/internal/lab"
	"fairlead.dev/agents/internal/lab/app"
)

// Options are what to measure and with what.
type Options struct {
	Scenario
	Agent    string   // the program fairlead-agent
	Self     string   // this program, which also runs the peers
	Rounds   int      // for our balancer
	Subjects []string // only these; all when empty
	Evidence string   // a folder for the logs of a lab where something broke; none when empty

	OtherRounds int // for each of the others; no more than ours

	// Wait is how long connections with a request open at the end are given before they are counted. With
	// less than the answer timeout, some broken ones may not be counted.
	Wait time.Duration
}

// Run plays the scenario with every subject, round by round, then with the models.
func Run(ctx context.Context, options Options, print func(Line)) (err error) {
	if os.Geteuid() != 0 {
		return errors.New("the lab's packets need network namespaces: run it as root")
	}
	if err := options.Check(); err != nil {
		return err
	}
	chosen, err := pick(subjects(options.Self), options.Subjects)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "flchurn") // short: a socket path is limited to 107 bytes
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	fmt.Fprintln(os.Stderr, options.expected(chosen))
	for round := range options.Rounds {
		for _, s := range options.inRound(chosen, round) {
			outcome, reason, err := play(ctx, options, s, folder)
			switch {
			case err != nil:
				return fmt.Errorf("round %d, %s: %w", round+1, s.name, err)
			case reason != "":
				print(Line{LeftOut: &LeftOut{s.name, reason}})
			default:
				outcome.Round = round
				print(Line{Churned: outcome})
			}
		}
		if options.Loss > 0 {
			continue // models have no packets to lose
		}
		for _, known := range models.All {
			outcome := replay(ctx, options.Scenario, known, round)
			if err := ctx.Err(); err != nil {
				return err
			}
			print(Line{Churned: outcome})
		}
	}
	return nil
}

// replay has clients that return by TLS 1.2 session id, for the models that look at sessions.
func replay(ctx context.Context, s Scenario, known models.Known, round int) *Outcome {
	span := models.Span{Before: s.Warmup, Counted: s.Span, After: s.longest()}
	got := models.Replay(ctx, known.New(), models.Resumption{}, s.traffic(), span, s.changes(), uint64(round)+1)
	return &Outcome{
		Round: round, Subject: known.Name, Kind: "model", Published: known.Published,
		Connections: uint64(got.Connections), Broken: uint64(got.Broken), Failed: uint64(got.Failed), Seconds: (span.Before + span.Counted + span.After).Seconds(),
	}
}

// play is one round of one subject in a lab of its own. The reason is set if it can't run here.
func play(ctx context.Context, options Options, s subject, folder string) (outcome *Outcome, reason string, err error) {
	l, err := benchlab.Up(ctx, options.Agent, folder, fmt.Sprintf("flch%d", os.Getpid()), options.Text, s.lines)
	if err != nil {
		return nil, "", err
	}
	defer func() { err = errors.Join(err, l.Down()) }()
	status, err := l.Await(ctx, "balancers that are ready", 30*time.Second, func(status lab.Status) bool { return replicas(status) == len(options.Topology.Balancers) })
	if err != nil {
		if why := notReady(status); why != "" && ctx.Err() == nil {
			return nil, why, nil
		}
		return nil, "", err
	}
	began, counted := time.Now(), []int{replicas(status)}
	if err := benchlab.Pause(ctx, options.Warmup); err != nil {
		return nil, "", err
	}
	before, err := l.Status(ctx)
	if err != nil {
		return nil, "", err
	}
	start := time.Now()
	until := func(at time.Time) error {
		for time.Until(at) > 0 {
			if err := benchlab.Pause(ctx, min(500*time.Millisecond, time.Until(at))); err != nil {
				return err
			}
			status, err := l.Status(ctx)
			if err != nil {
				return err
			}
			if now := replicas(status); now != counted[len(counted)-1] {
				counted = append(counted, now)
			}
		}
		return nil
	}
	for _, step := range options.steps() {
		if err := until(start.Add(step.at)); err != nil {
			return nil, "", err
		}
		if err := l.Do(ctx, step.verb...); err != nil {
			return nil, "", err
		}
	}
	if err := until(start.Add(options.Span)); err != nil {
		return nil, "", err
	}
	during, err := l.Status(ctx)
	if err != nil {
		return nil, "", err
	}
	// By then the open connections have ended or broken.
	if err := benchlab.Pause(ctx, options.longest()+options.Wait); err != nil {
		return nil, "", err
	}
	after, err := l.Status(ctx)
	if err != nil {
		return nil, "", err
	}
	outcome = sum(after)
	outcome.Connections = sum(during).Connections - sum(before).Connections // breaks outside the span count too
	if outcome.Broken > 0 && options.Evidence != "" {
		if err := l.KeepLogs(filepath.Join(options.Evidence, strings.ReplaceAll(s.name, " ", "-"))); err != nil {
			return nil, "", err
		}
	}
	outcome.Loss = options.Loss
	outcome.Subject, outcome.Kind, outcome.Replicas, outcome.Seconds = s.name, s.kind, counted, time.Since(began).Seconds()
	return outcome, "", nil
}

// replicas is how many balancers the router uses.
func replicas(status lab.Status) int {
	for _, route := range status.Routes {
		if route.At == "router" {
			return len(route.Via)
		}
	}
	return 0
}

func notReady(status lab.Status) string {
	for _, m := range status.Members {
		if m.Kind == "balancer" && m.State != "ready" {
			return fmt.Sprintf("%s is %s: %s", m.Name, m.State, m.Why)
		}
	}
	return ""
}

func sum(status lab.Status) *Outcome {
	total, answered := &Outcome{How: map[app.How]uint64{}}, map[string]bool{}
	mostFailed := uint64(0)
	for _, t := range status.Traffic {
		if t.Failed > mostFailed {
			mostFailed, total.FailedHow = t.Failed, t.Client+": "+t.LastError
		}
		total.Connections += t.Connections
		total.Requests += t.Requests
		total.Broken += t.Broken
		total.Failed += t.Failed
		total.Breaks = append(total.Breaks, t.Breaks...)
		for how, count := range t.BrokenHow {
			total.How[how] += count
		}
		for name := range t.Backends {
			answered[name] = true
		}
	}
	total.Backends = len(answered)
	for _, m := range status.Members {
		if m.Link != nil {
			total.Lost += m.Link.Lost
		}
	}
	return total
}
