package bench

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/netip"
	"os"
	"slices"
	"strings"
	"time"

	"fairlead.dev/agents/internal/bench/adaptive"
	"fairlead.dev/agents/internal/bench/load"
	"fairlead.dev/agents/internal/bench/simulate"
)

// commands are the benchmarks, and the processes they start.
var commands = map[string]func(ctx context.Context, arguments []string) error{
	"datapath": dataPath, "balancer-scale": balancerScale, "serve": serve, "closed-loop": closedLoop, "engine": engineProcess, "replica": replicaProcess,
	"churn": churnCommand, "returns": returnsCommand, "peer": peerCommand, "soak": soakCommand, "ecmp": ecmpCommand,
	"ecmp-stability": stabilityCommand, "ecmp-throughput": throughputCommand, "bgp-scale": bgpScale,
	"load": openLoop, "generator": generatorCommand, "serve-sessions": serveSessions,
	"session": sessionCommand, "companion": companionProcess, "serve-app": serveApp, "flood": floodProcess,
	"simulate": simulateCommand,
	"adaptive": adaptiveCommand, adaptive.ServerCommand: part(adaptive.Serve), adaptive.NeighbourCommand: part(adaptive.Neighbour),
	adaptive.AgentCommand: part(adaptive.Agent), adaptive.ClientsCommand: part(adaptive.Clients), adaptive.LinesCommand: part(adaptive.Lines), adaptive.BalancerCommand: part(adaptive.Balance),
	"adaptive-pods": adaptivePods, "delay": delayCommand,
}

// Command runs the command in the arguments.
func Command(ctx context.Context, arguments []string) error {
	if len(arguments) == 0 || commands[arguments[0]] == nil {
		return errors.New("set the benchmark: fairlead-bench with datapath, balancer-scale, churn, returns, soak, ecmp, ecmp-stability, ecmp-throughput, bgp-scale, generator, session, adaptive, load, or simulate")
	}
	return commands[arguments[0]](ctx, arguments[1:])
}

func dataPath(ctx context.Context, arguments []string) error {
	var plan Plan
	flags := flag.NewFlagSet("datapath", flag.ContinueOnError)
	flags.IntVar(&plan.Rounds, "rounds", 10, "number of measurements of each subject")
	flags.IntVar(&plan.Connections, "connections", 32, "number of connections that are open at the same time")
	flags.DurationVar(&plan.Warmup, "warmup", 200*time.Millisecond, "part of each turn that is not measured")
	flags.DurationVar(&plan.For, "for", time.Second, "duration of the measurement in each turn")
	flags.IntVar(&plan.Live, "live", 0, "number of live connections for the memory measurement")
	only := flags.String("subjects", "", "measure only these, comma-separated")
	if err := parse(flags, arguments); err != nil {
		return err
	}
	if err := plan.Check(); err != nil {
		return err
	}
	if *only != "" {
		plan.Subjects = strings.Split(*only, ",")
	}
	out := json.NewEncoder(os.Stdout)
	return DataPath(ctx, plan, func(line Line) { _ = out.Encode(line) })
}

func balancerScale(ctx context.Context, arguments []string) error {
	plan := Plan{Connections: 4} // few enough to leave a processor for applying
	flags := flag.NewFlagSet("balancer-scale", flag.ContinueOnError)
	flags.IntVar(&plan.Rounds, "rounds", 10, "how often services are added to and removed from each engine without load")
	flags.IntVar(&plan.Services, "services", 1000, "number of services, with 10 backends each")
	flags.IntVar(&plan.Flows, "flows", 0, "number of flows that an engine with a table of flows carries meanwhile")
	flags.DurationVar(&plan.For, "for", 10*time.Second, "minimum duration of the changes under each kind of load")
	only := flags.String("subjects", "", "measure only these engines, comma-separated")
	if err := parse(flags, arguments); err != nil {
		return err
	}
	if err := plan.Check(); err != nil {
		return err
	}
	if *only != "" {
		plan.Subjects = strings.Split(*only, ",")
	}
	out := json.NewEncoder(os.Stdout)
	return BalancerScale(ctx, plan, func(line Line) { _ = out.Encode(line) })
}

func serve(ctx context.Context, arguments []string) error {
	var options ServerOptions
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	flags.StringVar(&options.Name, "name", "", "name of the backend")
	tcp := flags.String("tcp", "", "address and port")
	udp := flags.String("udp", "", "comma-separated addresses and ports")
	if err := parse(flags, arguments); err != nil {
		return err
	}
	one, err := addresses("--tcp", *tcp)
	if err != nil {
		return err
	}
	if *udp != "" {
		if options.UDP, err = addresses("--udp", *udp); err != nil {
			return err
		}
	}
	options.TCP = one[0]
	return Serve(ctx, options, func() { fmt.Println("listening") })
}

func openLoop(ctx context.Context, arguments []string) error {
	return load.Command(ctx, arguments, os.Stdout, os.Stderr)
}

func simulateCommand(ctx context.Context, arguments []string) error {
	return simulate.Command(ctx, arguments, os.Stdout)
}

func closedLoop(_ context.Context, arguments []string) error {
	var options LoadOptions
	flags := flag.NewFlagSet("closed-loop", flag.ContinueOnError)
	to := flags.String("to", "", "comma-separated addresses and ports")
	workload := flags.String("workload", "", "kind of traffic")
	flags.StringVar(&options.Path, "path", "", "what returning clients request, who aren't replaced then")
	flags.StringVar(&options.TLSVersion, "tls-version", "", "newest version that clients offer: 1.2 or 1.3")
	flags.BoolVar(&options.TLS, "tls", false, "use TLS")
	flags.IntVar(&options.Connections, "connections", 0, "number of connections that are open at the same time")
	flags.BoolVar(&options.PostQuantum, "post-quantum", false, "offer a post-quantum key share, with which a ClientHello takes two packets")
	flags.IntVar(&options.Processors, "processors", 1, "number of processors that a client with TLS uses at most")
	flags.DurationVar(&options.Warmup, "warmup", 0, "warm-up, not measured")
	flags.DurationVar(&options.For, "for", 0, "duration of the measurement")
	if err := parse(flags, arguments); err != nil {
		return err
	}
	var err error
	if options.Targets, err = addresses("--to", *to); err != nil {
		return err
	}
	known := append(slices.Clone(Workloads), Return)
	if options.Workload = Workload(*workload); !slices.Contains(known, options.Workload) {
		return fmt.Errorf("--workload is %q; give one of %q", *workload, known)
	}
	if options.Workload == Return && !options.TLS {
		return fmt.Errorf("--workload %s needs --tls", Return)
	}
	if _, known := tlsVersions[options.TLSVersion]; !known && options.TLSVersion != "" {
		return fmt.Errorf("--tls-version is %q; give 1.2 or 1.3", options.TLSVersion)
	}
	figures, err := Generate(options)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(figures)
}

// engineProcess ignores Ctrl-C at our terminal. It ends with its input, so that it removes its maps.
func engineProcess(ctx context.Context, arguments []string) error {
	if len(arguments) != 1 {
		return errors.New("give the engine's options as one argument")
	}
	return RunEngine(context.WithoutCancel(ctx), arguments[0], os.Stdin, os.Stdout)
}

func parse(flags *flag.FlagSet, arguments []string) error {
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	return nil
}

func addresses(name, text string) ([]netip.AddrPort, error) {
	var list []netip.AddrPort
	for each := range strings.SplitSeq(text, ",") {
		address, err := netip.ParseAddrPort(each)
		if err != nil || !address.Addr().Is4() {
			return nil, fmt.Errorf("%s: %q is no IPv4 address with a port, such as 192.0.2.1:80", name, each)
		}
		list = append(list, address)
	}
	return list, nil
}
