package bench

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"time"

	"fairlead.dev/agents/internal/bench/load"
)

// growth is the factor from one rate to the next, to find the limit.
const growth = 1.5

// The load of a server that stalls. It is low, so that only the stall makes requests wait.
const (
	stallRate        = 200
	stallConnections = "4" // of the closed-loop client
)

// generated is a kind of load whose limit is measured.
type generated struct {
	kind  string
	first float64 // the lowest rate
	https bool
	flags []string
}

var generatedKinds = []generated{
	{"open connections", 1000, false, []string{"--users=200", "--requests=1000000"}},
	{"returns that resume", 100, true, []string{"--users=30", "--requests=1"}}, // few, so that each returns often
	{"new users", 50, true, []string{"--users=200", "--requests=1", "--connections=1"}},
}

func generatorCommand(ctx context.Context, arguments []string) error {
	var plan GeneratorPlan
	flags := flag.NewFlagSet("generator", flag.ContinueOnError)
	flags.IntVar(&plan.Rounds, "rounds", 3, "number of measurements at half of each limit, and of stalls")
	flags.Float64Var(&plan.Seconds, "seconds", 5, "duration of each measurement")
	flags.IntVar(&plan.Steps, "steps", 20, "maximum number of rates to find each limit")
	if err := parse(flags, arguments); err != nil {
		return err
	}
	if plan.Rounds < 1 || plan.Steps < 1 || plan.Seconds <= 0 {
		return fmt.Errorf("--rounds is %d, --steps is %d and --seconds is %g; give 1 or more, and a time above 0", plan.Rounds, plan.Steps, plan.Seconds)
	}
	out := json.NewEncoder(os.Stdout)
	return MeasureGenerator(ctx, plan, func(line GeneratorLine) { _ = out.Encode(line) })
}

// MeasureGenerator finds the limit of each kind of load, measures at half of it, and shows what a stalled
// server does to the latency. Both ends share this machine.
func MeasureGenerator(ctx context.Context, plan GeneratorPlan, print func(GeneratorLine)) error {
	for _, kind := range generatedKinds {
		if err := measureKind(ctx, plan, kind, print); err != nil {
			return fmt.Errorf("%s: %w", kind.kind, err)
		}
	}
	for round := range plan.Rounds {
		stall, err := measureStall(ctx, plan)
		if err != nil {
			return fmt.Errorf("the stalled server: %w", err)
		}
		stall.Round = round
		print(GeneratorLine{Stall: &stall})
	}
	return nil
}

func measureKind(ctx context.Context, plan GeneratorPlan, kind generated, print func(GeneratorLine)) error {
	command, target := "serve", "http"
	if kind.https {
		command, target = "serve-sessions", "https"
	}
	server, address, err := startLocal(ctx, command)
	if err != nil {
		return err
	}
	defer server.end()
	measure := func(rate float64, half bool) (GeneratorStep, error) {
		report, err := generate(ctx, append([]string{
			target + "://" + address.String() + smallPath, "--insecure=" + fmt.Sprint(kind.https),
			fmt.Sprintf("--rate=%g", rate), fmt.Sprintf("--for=%gs", plan.Seconds), fmt.Sprintf("--warmup=%gs", plan.Seconds/5),
		}, kind.flags...))
		step := GeneratorStep{
			Kind: kind.kind, Half: half, Rate: rate, DuePerSecond: float64(report.Due) / report.Seconds,
			SentPerSecond: report.SentPerSecond, LatenessP99Ms: report.Lateness.P99, LatencyP50Ms: report.Latency.P50,
			LatencyP99Ms: report.Latency.P99, Resumed: report.Sessions.Resumed, Failed: report.Failed + report.Unsent, VoidReasons: report.VoidReasons,
		}
		if err == nil {
			print(GeneratorLine{Step: &step})
		}
		return step, err
	}
	limit, rate := kind.first, kind.first // the lowest rate also if it isn't reached, which the line reports
	for range plan.Steps {
		step, err := measure(rate, false)
		if err != nil {
			return err
		}
		if !step.reached() {
			break
		}
		limit, rate = rate, rate*growth
	}
	for range plan.Rounds {
		if _, err := measure(limit/2, true); err != nil {
			return err
		}
	}
	return nil
}

// measureStall stops a server for a fifth of the time, first under the generator and then under a closed-loop
// client.
func measureStall(ctx context.Context, plan GeneratorPlan) (stall GeneratorStall, err error) {
	server, address, err := startLocal(ctx, "serve")
	if err != nil {
		return stall, err
	}
	defer server.end()
	span := time.Duration(plan.Seconds * float64(time.Second))
	during := func(measure func() error) error {
		measuring, over := context.WithCancel(ctx)
		ended := make(chan error, 1)
		go func() { ended <- server.stall(measuring, span*2/5, span/5) }()
		err := measure()
		over()
		return errors.Join(err, <-ended)
	}
	var report load.Report
	err = during(func() (err error) {
		report, err = generate(ctx, []string{"http://" + address.String() + smallPath, "--arrivals=uniform", "--warmup=0s",
			fmt.Sprintf("--rate=%d", stallRate), "--for=" + span.String(), "--users=1000", "--requests=1000000"})
		return err
	})
	if err != nil {
		return stall, err
	}
	var closed Load
	err = during(func() error {
		output, err := exec.CommandContext(ctx, "/proc/self/exe", "closed-loop", "--to", address.String(), "--workload", string(Small),
			"--connections", stallConnections, "--for", span.String()).Output()
		if err != nil {
			return fmt.Errorf("the closed-loop client: %w", err)
		}
		return json.Unmarshal(output, &closed)
	})
	return GeneratorStall{
		StallMs: 1e3 * (span / 5).Seconds(), LatencyP99Ms: report.Latency.P99, LatencyMaxMs: report.Latency.Max,
		ClosedLoopP99Ms: closed.P99 / 1e3, ClosedLoopMaxMs: closed.Max / 1e3, VoidReasons: report.VoidReasons,
	}, err
}

// generate runs the generator in its own process. A void run has a report, too.
func generate(ctx context.Context, arguments []string) (report load.Report, err error) {
	command := exec.CommandContext(ctx, "/proc/self/exe", append([]string{"load", "--json"}, arguments...)...)
	output, err := command.Output()
	if decoded := json.Unmarshal(output, &report); decoded == nil {
		return report, nil
	}
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		err = fmt.Errorf("%w: %s", err, failed.Stderr)
	}
	return report, fmt.Errorf("the generator failed: %w", err)
}
