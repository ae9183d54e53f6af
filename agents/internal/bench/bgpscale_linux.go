package bench

import (
	"context"
	"encoding/json"
	"flag"
	"os"

	"fairlead.dev/agents/internal/bench/bgpscale"
)

func bgpScale(ctx context.Context, arguments []string) error {
	var options bgpscale.Options
	flags := flag.NewFlagSet("bgp-scale", flag.ContinueOnError)
	flags.StringVar(&options.Agent, "agent", "", "the program fairlead-agent")
	flags.IntVar(&options.Speakers, "speakers", 100, "number of speakers")
	flags.IntVar(&options.Prefixes, "prefixes", 1000, "number of prefixes of each speaker")
	flags.IntVar(&options.Rounds, "rounds", 1, "number of measurements")
	if err := parse(flags, arguments); err != nil {
		return err
	}
	if err := findAgent(options.Agent); err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	return bgpscale.Run(ctx, options, func(outcome bgpscale.Outcome) { _ = out.Encode(outcome) })
}
