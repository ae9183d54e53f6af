package bench

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"fairlead.dev/agents/internal/bench/churn"
	"fairlead.dev/agents/internal/lab/topology"
)

// returnsCommand needs neither root nor a lab: models send no packets.
func returnsCommand(ctx context.Context, arguments []string) error {
	var scenario churn.Scenario
	flags := flag.NewFlagSet("returns", flag.ContinueOnError)
	rounds := flags.Int("rounds", 1, "number of replays, each with other flows")
	flags.DurationVar(&scenario.Span, "for", time.Minute, "duration of all changes")
	flags.DurationVar(&scenario.Warmup, "warmup", 5*time.Second, "duration of traffic before the first change")
	flags.IntVar(&scenario.Backends, "backends", 8, "number of backends that are added, and removed later")
	flags.IntVar(&scenario.Replicas, "replicas", 1, "number of replicas that are added, and removed later")
	name := flags.String("topology", "churn", "a file, or the name of a built-in topology")
	only := flags.String("subjects", "", "replay only these models, comma-separated")
	if err := parse(flags, arguments); err != nil {
		return err
	}
	if *rounds < 1 {
		return fmt.Errorf("--rounds is %d; give 1 or more", *rounds)
	}
	text, err := findTopology(*name)
	if err != nil {
		return err
	}
	if scenario.Topology, err = topology.Parse(text); err != nil {
		return err
	}
	var subjects []string
	if *only != "" {
		subjects = strings.Split(*only, ",")
	}
	out := json.NewEncoder(os.Stdout)
	return churn.Returns(ctx, scenario, *rounds, subjects, func(line churn.Line) { _ = out.Encode(line) })
}
