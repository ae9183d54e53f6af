package bench

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"time"

	"fairlead.dev/agents/internal/bench/soak"
)

func soakCommand(ctx context.Context, arguments []string) error {
	var options soak.Options
	flags := flag.NewFlagSet("soak", flag.ContinueOnError)
	flags.StringVar(&options.Agent, "agent", "", "the program fairlead-agent")
	flags.DurationVar(&options.For, "for", 30*time.Minute, "total duration, including the idle time at the end")
	flags.BoolVar(&options.Smoke, "smoke", false, "make a few changes once, without the idle time; what is left at the end is then not meaningful")
	if err := parse(flags, arguments); err != nil {
		return err
	}
	if err := findAgent(options.Agent); err != nil {
		return err
	}
	report, err := soak.Run(ctx, options)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(report)
}
