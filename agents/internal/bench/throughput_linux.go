package bench

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"fairlead.dev/agents/internal/bench/throughput"
	"fairlead.dev/agents/internal/lab/topology"
)

func throughputCommand(ctx context.Context, arguments []string) error {
	options := throughput.Options{Processors: processors}
	flags := flag.NewFlagSet("ecmp-throughput", flag.ContinueOnError)
	flags.StringVar(&options.Agent, "agent", "", "the program fairlead-agent")
	flags.IntVar(&options.Rounds, "rounds", 1, "number of measurements of each replica count")
	connections := flags.String("connections", "8,32,64", "numbers of concurrent connections to measure, comma-separated")
	flags.BoolVar(&options.Unbounded, "unbounded", true, "also measure without a bandwidth limit")
	name := flags.String("topology", "throughput", "a file, or the name of a built-in topology")
	flags.DurationVar(&options.For, "for", 2*time.Second, "duration of the measurement in each turn")
	flags.IntVar(&options.Changes, "changes", 20, "number of random changes of the replica count")
	flags.DurationVar(&options.Every, "every", 10*time.Second, "time from one change to the next")
	flags.Uint64Var(&options.Seed, "seed", 1, "seed of the random numbers")
	if err := parse(flags, arguments); err != nil {
		return err
	}
	if err := findAgent(options.Agent); err != nil {
		return err
	}
	if options.Rounds < 1 || options.Changes < 1 || options.Every < 2*time.Second {
		return fmt.Errorf("--rounds is %d, --changes %d and --every %v; give 1, 1 and 2s or more", options.Rounds, options.Changes, options.Every)
	}
	for each := range strings.SplitSeq(*connections, ",") {
		count, err := strconv.Atoi(each)
		if err != nil || count < 1 {
			return fmt.Errorf("--connections is %q; use comma-separated numbers from 1", *connections)
		}
		options.Connections = append(options.Connections, count)
	}
	text, err := findTopology(*name)
	if err != nil {
		return err
	}
	if options.Topology, err = topology.Parse(text); err != nil {
		return err
	}
	options.Text = string(text)
	out := json.NewEncoder(os.Stdout)
	return throughput.Run(ctx, options, func(line throughput.Line) { _ = out.Encode(line) })
}

// processors returns the idle and total time of all CPUs.
func processors() (idle, all float64, err error) {
	_, idle, all, err = machine()
	return idle, all, err
}
