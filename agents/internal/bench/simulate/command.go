package simulate

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

var sets = map[string]func(context.Context, Options) (Report, error){
	"grid": gridSet, "paper": paperSet, "events": eventsSet, "connections": connectionsSet,
}

// Command is `fairlead-bench simulate`: it runs a set and prints tables, or a JSON line for each run.
func Command(ctx context.Context, arguments []string, out io.Writer) error {
	known := strings.Join(slices.Sorted(maps.Keys(sets)), ", ")
	if len(arguments) == 0 || sets[arguments[0]] == nil {
		return fmt.Errorf("set what to simulate: fairlead-bench simulate with one of %s", known)
	}
	var options Options
	flags := flag.NewFlagSet("simulate", flag.ContinueOnError)
	flags.Uint64Var(&options.Seed, "seed", 1, "of the requests")
	flags.Float64Var(&options.Seconds, "seconds", 10, "simulated time that is measured in each run of the grid; other sets measure a multiple")
	asJSON := flags.Bool("json", false, "print a JSON line for each run, in place of tables")
	if err := flags.Parse(arguments[1:]); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if !(options.Seconds > 0) {
		return errors.New("--seconds must be above 0")
	}
	report, err := sets[arguments[0]](ctx, options)
	if err != nil {
		return err
	}
	if *asJSON {
		return report.printJSON(out)
	}
	return report.printTables(out)
}
