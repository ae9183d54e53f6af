package bench

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"strings"

	"fairlead.dev/agents/internal/bench/ecmp"
)

func ecmpCommand(ctx context.Context, arguments []string) error {
	var options ecmp.Options
	flags := flag.NewFlagSet("ecmp", flag.ContinueOnError)
	flags.StringVar(&options.Agent, "agent", "", "the program fairlead-agent")
	flags.StringVar(&options.FRR, "frr", "", "the config that the control plane generated for FRR")
	flags.StringVar(&options.BIRD, "bird", "", "the config that the control plane generated for BIRD")
	flags.IntVar(&options.Changes, "changes", 300, "number of random announcements and withdrawals")
	flags.IntVar(&options.Kills, "kills", 30, "number of speakers that are killed")
	flags.IntVar(&options.Freezes, "freezes", 30, "number of speakers that freeze, with BFD")
	flags.IntVar(&options.Holds, "holds", 3, "number of speakers that freeze, without BFD")
	flags.IntVar(&options.Answers, "answers", 100, "number of backends that become ready, with Fairlead's router")
	flags.IntVar(&options.NewReplicas, "new-replicas", 30, "number of replicas that start, with Fairlead's router")
	only := flags.String("subjects", "", "measure only these, comma-separated")
	if err := parse(flags, arguments); err != nil {
		return err
	}
	if err := findAgent(options.Agent); err != nil {
		return err
	}
	if *only != "" {
		options.Subjects = strings.Split(*only, ",")
	}
	out := json.NewEncoder(os.Stdout)
	return ecmp.Run(ctx, options, func(line ecmp.Line) { _ = out.Encode(line) })
}
