package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"fairlead.dev/agents/internal/controlplane"
	"fairlead.dev/agents/internal/fleet"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "fairlead-fleet:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	options := fleet.Options{}
	flag.StringVar(&options.URL, "control-plane", os.Getenv("FAIRLEAD_CONTROL_PLANE"), "https://host:port of the control plane")
	flag.IntVar(&options.Agents, "agents", 100, "number of simulated agents")
	flag.StringVar(&options.Folder, "identities", "", "folder that keeps the agents' identities between runs")
	tokenFile := flag.String("tokens", "", "file of enrolment tokens, one per line, for agents without an identity")
	flag.StringVar(&options.NamePrefix, "name-prefix", "sim-", "prefix of node names, followed by a number")
	flag.DurationVar(&options.ReportEvery, "report-every", 5*time.Second, "interval between two reports of one agent")
	flag.IntVar(&options.Series, "series", fleet.HostSeries, "number of series per report")
	flag.IntVar(&options.Points, "points", 5, "number of points per series in a report")
	flag.DurationVar(&options.Ramp, "ramp", 10*time.Second, "time over which the agents start")
	flag.DurationVar(&options.Warmup, "warmup", 10*time.Second, "time after the ramp that is not measured")
	flag.DurationVar(&options.Drain, "drain", 10*time.Second, "how long to wait at the end for outstanding responses")
	flag.DurationVar(&options.PrintEvery, "print-every", 5*time.Second, "interval between two lines of results")
	duration := flag.Duration("duration", 0, "duration of the measurement, after ramp and warm-up; 0: until interrupted")
	logLines := flag.Int("log-lines", 20, "maximum number of agents' log lines to print")
	flag.Parse()

	if err := check(options); err != nil {
		return err
	}
	tokens, err := readTokens(*tokenFile)
	if err != nil {
		return err
	}
	options.Tokens = tokens
	options.Log = slog.New(slog.NewTextHandler(&firstLines{left: *logLines}, &slog.HandlerOptions{Level: slog.LevelWarn}))
	if *duration > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, options.Ramp+options.Warmup+*duration)
		defer cancel()
	}

	out := json.NewEncoder(os.Stdout)
	summary, err := fleet.Run(ctx, options, func(figures fleet.Figures) { _ = out.Encode(figures) })
	if err != nil {
		return err
	}
	return out.Encode(summary)
}

func check(options fleet.Options) error {
	switch {
	case !strings.HasPrefix(options.URL, "https://"):
		return errors.New("set the control plane's address: --control-plane https://host:port")
	case options.Folder == "":
		return errors.New("set the folder for identities: --identities FOLDER")
	case options.Agents < 1 || options.Series < 1 || options.Points < 1:
		return errors.New("--agents, --series and --points are at least 1")
	case options.ReportEvery <= 0 || options.PrintEvery <= 0:
		return errors.New("--report-every and --print-every must be positive")
	case flag.NArg() > 0:
		return fmt.Errorf("unexpected argument %q", flag.Arg(0))
	}
	return nil
}

func readTokens(path string) ([]*controlplane.Token, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read the tokens: %w", err)
	}
	defer file.Close()
	var tokens []*controlplane.Token
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		token, err := controlplane.ParseToken(lines.Text())
		if err != nil {
			return nil, fmt.Errorf("%s, token %d: %w", path, len(tokens)+1, err)
		}
		tokens = append(tokens, token)
	}
	return tokens, lines.Err()
}
