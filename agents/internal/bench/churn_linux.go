package bench

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fairlead.dev/agents/internal/bench/churn"
	"fairlead.dev/agents/internal/bench/peer"
	"fairlead.dev/agents/internal/lab/app"
	"fairlead.dev/agents/internal/lab/topologies"
	"fairlead.dev/agents/internal/lab/topology"
)

func churnCommand(ctx context.Context, arguments []string) error {
	var options churn.Options
	flags := flag.NewFlagSet("churn", flag.ContinueOnError)
	flags.StringVar(&options.Agent, "agent", "", "the program fairlead-agent")
	flags.IntVar(&options.Rounds, "rounds", 1, "number of measurements of Fairlead's balancers")
	flags.IntVar(&options.OtherRounds, "other-rounds", 1, "number of measurements of each other balancer, at most --rounds")
	flags.DurationVar(&options.Span, "for", time.Minute, "duration of all changes")
	flags.DurationVar(&options.Warmup, "warmup", 5*time.Second, "duration of traffic before the first change")
	flags.DurationVar(&options.Wait, "wait", app.AnswerTimeout, "how long to wait at the end for outstanding responses; a shorter time than the default misses broken connections")
	flags.IntVar(&options.Backends, "backends", 8, "number of backends that are added, and removed later")
	flags.IntVar(&options.Replicas, "replicas", 1, "number of replicas that are added, and removed later")
	flags.Float64Var(&options.Loss, "loss", 0, "packet loss on each link of a node or a client, in percent")
	flags.StringVar(&options.Evidence, "evidence", "", "a folder for the logs of labs where connections broke")
	name := flags.String("topology", "churn", "a file, or the name of a built-in topology")
	only := flags.String("subjects", "", "measure only these, comma-separated")
	if err := parse(flags, arguments); err != nil {
		return err
	}
	if err := findAgent(options.Agent); err != nil {
		return err
	}
	if options.Rounds < 1 || options.OtherRounds < 1 {
		return fmt.Errorf("--rounds is %d and --other-rounds is %d; give 1 or more", options.Rounds, options.OtherRounds)
	}
	text, err := findTopology(*name)
	if err != nil {
		return err
	}
	if text, err = churn.Lossy(text, options.Loss); err != nil {
		return err
	}
	if options.Topology, err = topology.Parse(text); err != nil {
		return err
	}
	if options.Self, err = os.Executable(); err != nil {
		return err
	}
	options.Text = string(text)
	if *only != "" {
		options.Subjects = strings.Split(*only, ",")
	}
	out := json.NewEncoder(os.Stdout)
	return churn.Run(ctx, options, func(line churn.Line) { _ = out.Encode(line) })
}

// findTopology reads a shipped topology, or a file.
func findTopology(name string) ([]byte, error) {
	if text, ships := topologies.Find(name); ships {
		return text, nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("--topology is %q; use a file (%w) or one of %s", name, err, topologies.Names())
	}
	return text, nil
}

func findAgent(path string) error {
	if info, err := os.Stat(path); err != nil || info.IsDir() {
		return fmt.Errorf("--agent is %q; give the program fairlead-agent, which creates the lab", path)
	}
	return nil
}

// peerCommand replaces our balancer in a lab.
func peerCommand(ctx context.Context, arguments []string) error {
	if len(arguments) == 0 {
		return errors.New("set the peer: " + strings.Join(peer.Names(), ", "))
	}
	var options peer.Options
	flags := flag.NewFlagSet("peer", flag.ContinueOnError)
	flags.StringVar(&options.Config, "config", "", "file of the balancer's config")
	flags.StringVar(&options.Listen, "listen", "", "host:port of /readyz")
	if err := parse(flags, arguments[1:]); err != nil {
		return err
	}
	if options.Config == "" || options.Listen == "" {
		return errors.New("a peer needs --config and --listen")
	}
	options.Folder = filepath.Join(filepath.Dir(options.Config), "peer")
	return peer.Run(ctx, arguments[0], options)
}
