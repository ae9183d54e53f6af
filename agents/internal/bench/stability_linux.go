package bench

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"

	"fairlead.dev/agents/internal/bench/stability"
	"fairlead.dev/agents/internal/lab/topology"
)

func stabilityCommand(ctx context.Context, arguments []string) error {
	var options stability.Options
	flags := flag.NewFlagSet("ecmp-stability", flag.ContinueOnError)
	flags.StringVar(&options.Agent, "agent", "", "the program fairlead-agent")
	flags.IntVar(&options.Rounds, "rounds", 1, "number of measurements of each subject")
	flags.StringVar(&options.Evidence, "evidence", "", "a folder for the logs of labs where connections through Fairlead broke")
	plan := flags.String("plan", "all", "changes: all, last (every kind, of the last replica only) or drain (a single one)")
	name := flags.String("topology", "stability", "a file, or the name of a built-in topology")
	only := flags.String("subjects", "", "measure only these, separated by semicolons")
	if err := parse(flags, arguments); err != nil {
		return err
	}
	if err := findAgent(options.Agent); err != nil {
		return err
	}
	if options.Rounds < 1 {
		return fmt.Errorf("--rounds is %d; give 1 or more", options.Rounds)
	}
	text, err := findTopology(*name)
	if err != nil {
		return err
	}
	if options.Topology, err = topology.Parse(text); err != nil {
		return err
	}
	if options.Self, err = os.Executable(); err != nil {
		return err
	}
	options.Text = string(text)
	if options.Changes, err = stability.Changes(*plan, len(options.Topology.Balancers)); err != nil {
		return err
	}
	if *only != "" {
		options.Subjects = strings.Split(*only, ";")
	}
	out := json.NewEncoder(os.Stdout)
	return stability.Run(ctx, options, func(line stability.Line) { _ = out.Encode(line) })
}
