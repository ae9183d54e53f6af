package bench

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"strings"
	"time"

	"fairlead.dev/agents/internal/bench/adaptive"
)

func adaptiveCommand(ctx context.Context, arguments []string) error {
	var options adaptive.Options
	flags := flag.NewFlagSet("adaptive", flag.ContinueOnError)
	flags.IntVar(&options.Rounds, "rounds", 14, "number of measurements of each subject in each scenario")
	flags.DurationVar(&options.Warmup, "warmup", time.Second, "part of each turn that is not measured")
	flags.DurationVar(&options.For, "for", 3*time.Second, "duration of the measurement in each turn; events need at least 4 s")
	scenarios := flags.String("scenarios", "", "measure only these, semicolon-separated")
	subjects := flags.String("subjects", "", "measure only these, semicolon-separated")
	if err := parse(flags, arguments); err != nil {
		return err
	}
	if err := options.Check(); err != nil {
		return err
	}
	options.Scenarios, options.Subjects = list(*scenarios), list(*subjects)
	out := json.NewEncoder(os.Stdout)
	return adaptive.Run(ctx, options, func(line adaptive.Line) { _ = out.Encode(line) })
}

// list returns the parts of a text; none of an empty one.
func list(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ";")
}

// part is a process of the lab, which ends with its input.
func part(run func(argument string) error) func(context.Context, []string) error {
	return func(_ context.Context, arguments []string) error {
		if len(arguments) != 1 {
			return errors.New("give the options as one argument")
		}
		return run(arguments[0])
	}
}
